// The table of an instruction set's functions; comes after the other bodies.

const ck_kernels NAME(kernels) = {
    .convolve_panels = NAME(convolve_panels),
    .convolve_few = NAME(convolve_few),
    .convolve_depthwise = NAME(convolve_depthwise),
    .convolve_winograd = NAME(convolve_winograd),
    .nested_gather = NAME(nested_gather),
    .nested_products = NAME(nested_products),
    .normalize = NAME(normalize),
    .activate = NAME(activate),
    .combine = NAME(combine),
    .add_moments = NAME(add_moments),
    .blend_row = NAME(blend_row),
    .scatter_row = NAME(scatter_row),
    .activation_gradient = NAME(activation_gradient),
    .add_norm_sums = NAME(add_norm_sums),
    .norm_gradient = NAME(norm_gradient),
    .panel_product = NAME(panel_product),
    .factor_product = NAME(factor_product),
    .round_weights = NAME(round_weights),
    .multiply_add_rounds = NAME(multiply_add_rounds),
    .stream = NAME(stream),
};
