#include "pointwise.h"

#include "kernels.h"

void ck_normalize(
    ck_instructions instructions, const float *input, float *output, size_t count, const float *center,
    const float *scale, const float *shift, size_t period) {
  ck_kernels_of(instructions)->normalize(input, output, count, center, scale, shift, period);
}

void ck_activate(ck_instructions instructions, ck_activation activation, float *numbers, size_t count) {
  ck_kernels_of(instructions)->activate(activation, numbers, count);
}

void ck_combine(
    ck_instructions instructions, ck_combination combination, const float *left, const float *right, float *output,
    size_t count) {
  ck_kernels_of(instructions)->combine(combination, left, right, output, count);
}
