// Convolution of 3×3 or 2×2 taps at stride 1 by Winograd's minimal filtering (Lavin, Gray 2016): a square of the
// input becomes 36 numbers a channel, these are multiplied by transformed weights instead of taps, and the products
// become a square of the output. That takes 36 multiplications for 16 pixels of 3×3 taps instead of 144, and for 25
// pixels of 2×2 taps instead of 100.
//
// The polynomials are interpolated at 0, ±1, ±9/16 and infinity. Of the sets {0, ±1, ±b, ∞} this one rounds least:
// 2.1 times as much as direct summation does for 128 channels of 3×3 taps, where the usual {0, ±1, ±2, ∞} rounds 2.4
// times as much. With 1 among the points, five of the six transformed rows are made of differences, so that a
// constant channel remains exactly constant.
#ifndef CKERNELS_WINOGRAD_H
#define CKERNELS_WINOGRAD_H

#include <stddef.h>
#include <stdint.h>

#include "instructions.h"

enum {
  /// The rows and columns of input that a tile reads.
  CK_WINOGRAD_EXTENT = 6,
};

/// One convolution, or one phase of one. Pictures are laid out as in convolution.h; input and output have at least
/// eight channels.
typedef struct {
  const float *input;
  size_t input_row_stride, input_pixel_stride;  // in floats
  float *output;                                // where the first pixel of the phase lies
  size_t output_row_stride, output_pixel_stride;  // in floats, from one pixel of the phase to its next
  size_t output_rows, output_columns;             // of the phase
  const int32_t *rows;     // [output_rows + taps - 1]: input row, or -1 for a row of zeros
  const int32_t *columns;  // [output_columns + taps - 1]: input column, or -1 for zeros
  size_t taps;             // along each axis: 2 or 3
  size_t inputs, outputs;  // channels
  const float *weights;    // as ck_pack_winograd made them
  const float *bias;
  const float *zeros;  // at least input_pixel_stride zeros
} ck_winograd;

/// The rows and columns of output that a tile gives for `taps` taps along each axis.
size_t ck_winograd_tile(size_t taps);

/// The number of floats that packed weights take, for any number of taps.
size_t ck_winograd_weight_count(size_t inputs, size_t outputs);

/// The number of floats that a packed bias takes.
size_t ck_winograd_bias_count(size_t outputs);

/// Transforms and packs weights, in double precision until the last rounding. `weights` is
/// [outputs][inputs][taps][taps]; `bias` has one float an output channel, or is null for zeros.
void ck_pack_winograd(
    size_t inputs, size_t outputs, size_t taps, const float *weights, const float *bias, float *packed_weights,
    float *packed_bias);

/// How many tiles are best computed at once: as many as the second-level cache holds transformed.
size_t ck_winograd_batch(size_t input_pixel_stride);

/// The bytes of scratch memory, aligned to 64, that `ck_convolve_winograd` wants.
size_t ck_winograd_scratch_bytes(size_t input_pixel_stride);

/// Computes the tiles `first ..< end`, counted along the rows of tiles; at most a batch of them.
/// A pixel's value does not depend on what else is computed with it.
void ck_convolve_winograd(
    ck_instructions instructions, const ck_winograd *convolution, size_t first, size_t end, void *scratch);

#endif
