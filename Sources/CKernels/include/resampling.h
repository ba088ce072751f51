// Moving and blending whole pixels.
#ifndef CKERNELS_RESAMPLING_H
#define CKERNELS_RESAMPLING_H

#include <stddef.h>
#include <stdint.h>

#include "instructions.h"

/// Copies pixels of `pixel_stride` floats: the one at `columns[i]` of `row`, or zeros where that is -1.
void ck_gather_row(
    const float *row, const int32_t *columns, size_t pixels, size_t pixel_stride, float *output);

/// One row of a bilinear enlargement: between two rows, and in each between two pixels.
typedef struct {
  const float *top, *bottom;
  float down;                    // 0 is all top, 1 all bottom
  const int32_t *left, *right;   // [pixels]: the columns to blend
  const float *along;            // [pixels]: 0 is all left, 1 all right
  size_t pixels, pixel_stride;
} ck_row_blend;

/// Computes the row.
void ck_blend_row(ck_instructions instructions, const ck_row_blend *blend, float *output);

#endif
