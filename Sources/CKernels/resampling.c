#include "resampling.h"

#include <string.h>

#include "kernels.h"

void ck_gather_row(
    const float *row, const int32_t *columns, size_t pixels, size_t pixel_stride, float *output) {
  for (size_t p = 0; p < pixels; p++, output += pixel_stride) {
    if (columns[p] < 0) {
      memset(output, 0, pixel_stride * sizeof(float));
    } else {
      memcpy(output, row + (size_t)columns[p] * pixel_stride, pixel_stride * sizeof(float));
    }
  }
}

void ck_blend_row(ck_instructions instructions, const ck_row_blend *blend, float *output) {
  ck_kernels_of(instructions)->blend_row(blend, output);
}
