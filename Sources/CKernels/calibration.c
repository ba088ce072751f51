#include "calibration.h"

#include "kernels.h"

float ck_multiply_add_rounds(ck_instructions instructions, size_t rounds) {
  return ck_kernels_of(instructions)->multiply_add_rounds(rounds);
}

void ck_stream(ck_instructions instructions, float *numbers, size_t count) {
  ck_kernels_of(instructions)->stream(numbers, count);
}
