// The way back through what works on maps: from the gradient of a result to the gradient of what it was computed from.
// Convolutions are not here: the way back through one is another one.
#ifndef CKERNELS_GRADIENTS_H
#define CKERNELS_GRADIENTS_H

#include <stddef.h>
#include <stdint.h>

#include "instructions.h"
#include "pointwise.h"

/// Where the pixels of a row go to: each to one or two pixels of another row.
typedef struct {
  const int32_t *first;   // [pixels]: a pixel of the other row, or -1 for none
  const int32_t *second;  // [pixels], or null where there is only the first
  const float *along;     // [pixels]: the share of the second; null with it
  size_t pixels, pixel_stride;
} ck_row_scatter;

/// Adds `share` times each pixel of `row` to where it goes in `output`.
void ck_scatter_row(
    ck_instructions instructions, const ck_row_scatter *scatter, const float *row, float share, float *output);

/// `output[i] = gradient[i] * f'(input[i])`; at a corner of f, the slope on the side of the smaller magnitude. `output` may
/// be `gradient`.
void ck_activation_gradient(
    ck_instructions instructions, ck_activation activation, const float *input, const float *gradient, float *output,
    size_t count);

/// The sums of one channel that the way back through a normalisation by live statistics wants.
typedef struct {
  double gradient;  // of the gradients
  double product;   // of the gradients times the distances from the mean
} ck_norm_sums;

/// Adds `pixels` pixels to the sums of each channel. `means` has one number a channel.
void ck_add_norm_sums(
    ck_instructions instructions, const float *input, const float *gradient, size_t pixels, size_t pixel_stride,
    size_t channels, const double *means, ck_norm_sums *sums);

/// `output = gradient * scale + (input - center) * slope + shift`, with tables of `pixel_stride` floats each.
void ck_norm_gradient(
    ck_instructions instructions, const float *input, const float *gradient, float *output, size_t pixels,
    size_t pixel_stride, const float *center, const float *scale, const float *slope, const float *shift);

#endif
