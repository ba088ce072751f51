#include "gradients.h"

#include "kernels.h"

void ck_scatter_row(
    ck_instructions instructions, const ck_row_scatter *scatter, const float *row, float share, float *output) {
  ck_kernels_of(instructions)->scatter_row(scatter, row, share, output);
}

void ck_activation_gradient(
    ck_instructions instructions, ck_activation activation, const float *input, const float *gradient, float *output,
    size_t count) {
  ck_kernels_of(instructions)->activation_gradient(activation, input, gradient, output, count);
}

void ck_add_norm_sums(
    ck_instructions instructions, const float *input, const float *gradient, size_t pixels, size_t pixel_stride,
    size_t channels, const double *means, ck_norm_sums *sums) {
  ck_kernels_of(instructions)->add_norm_sums(input, gradient, pixels, pixel_stride, channels, means, sums);
}

void ck_norm_gradient(
    ck_instructions instructions, const float *input, const float *gradient, float *output, size_t pixels,
    size_t pixel_stride, const float *center, const float *scale, const float *slope, const float *shift) {
  ck_kernels_of(instructions)->norm_gradient(
      input, gradient, output, pixels, pixel_stride, center, scale, slope, shift);
}
