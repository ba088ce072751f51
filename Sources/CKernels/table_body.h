// The table of an instruction set's functions; comes after the other bodies.

const ck_kernels NAME(kernels) = {
    .convolve_panels = NAME(convolve_panels),
    .convolve_few = NAME(convolve_few),
    .convolve_depthwise = NAME(convolve_depthwise),
    .convolve_winograd = NAME(convolve_winograd),
    .normalize = NAME(normalize),
    .activate = NAME(activate),
    .combine = NAME(combine),
    .add_moments = NAME(add_moments),
    .blend_row = NAME(blend_row),
    .multiply_add_rounds = NAME(multiply_add_rounds),
    .stream = NAME(stream),
};
