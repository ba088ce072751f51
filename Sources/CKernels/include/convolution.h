// Convolution of one picture, by indirection: for every output pixel and kernel tap a pointer to the channels of
// an input pixel. Strides, dilation, padding of any mode, nearest-neighbour enlargement and the phases of a
// transposed convolution are all in two small tables, so that none of them ever copies the picture.
//
// Pictures are [height, width, channels] with `pixel stride` floats from one pixel to the next: the number of
// channels, rounded up to a multiple of eight unless it is below eight. Lanes beyond the channels are written
// but mean nothing.
#ifndef CKERNELS_CONVOLUTION_H
#define CKERNELS_CONVOLUTION_H

#include <stddef.h>
#include <stdint.h>

#include "instructions.h"

/// How the work of a convolution is shaped, which decides how its weights are packed.
typedef enum {
  /// Matrix product of pixels and panels of 16 (at the end of a group perhaps 8) output channels.
  CK_CONVOLUTION_PANELS,
  /// One to three output channels of one group: vectors run along the input channels.
  CK_CONVOLUTION_FEW_OUTPUTS,
  /// As many groups as input and as output channels, at least eight: vectors run along the channels.
  CK_CONVOLUTION_DEPTHWISE,
} ck_convolution_kind;

/// One convolution, or one phase of a transposed one.
typedef struct {
  ck_convolution_kind kind;
  const float *input;
  size_t input_row_stride, input_pixel_stride;  // in floats
  float *output;                                // where the first pixel of the phase lies
  size_t output_row_stride, output_pixel_stride;  // in floats, from one pixel of the phase to its next
  const int32_t *rows;     // [output rows][tap_rows]: input row, or -1 for a row of zeros
  const int32_t *columns;  // [output columns][tap_columns]: input column, or -1 for zeros
  size_t tap_rows, tap_columns;
  size_t groups, group_inputs, group_outputs;
  const float *weights;  // as ck_pack_convolution made them
  const float *bias;     // as many floats as ck_packed_bias_count says
  const float *zeros;    // at least tap_columns * input_pixel_stride zeros
} ck_convolution;

/// Which kind suits the parameters; `input_pixel_stride` as described above.
ck_convolution_kind ck_choose_convolution(size_t groups, size_t group_inputs, size_t group_outputs);

/// The number of floats that the packed weights of `taps` kernel taps take.
size_t ck_packed_weight_count(
    ck_convolution_kind kind, size_t groups, size_t group_inputs, size_t group_outputs, size_t taps);

/// The number of floats that a packed bias takes.
size_t ck_packed_bias_count(ck_convolution_kind kind, size_t groups, size_t group_outputs);

/// Packs weights. `weights` is [groups * group_outputs][group_inputs][taps]; `bias` has one float an output
/// channel, or is null for zeros.
void ck_pack_convolution(
    ck_convolution_kind kind, size_t groups, size_t group_inputs, size_t group_outputs, size_t taps,
    const float *weights, const float *bias, float *packed_weights, float *packed_bias);

/// The bytes of scratch memory, aligned to 64, that `ck_convolve` wants for a tile `columns` wide.
size_t ck_convolution_scratch_bytes(size_t columns, size_t taps);

/// Computes the rows `first_row ..< end_row` and columns `first_column ..< end_column` of the phase's output.
/// A pixel's value does not depend on the tile it is computed in.
void ck_convolve(
    ck_instructions instructions, const ck_convolution *convolution, size_t first_row, size_t end_row,
    size_t first_column, size_t end_column, void *scratch);

#endif
