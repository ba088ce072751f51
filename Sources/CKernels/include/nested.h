// Convolution of large kernels, 4×4 taps and more at stride 1, by Winograd's algorithm: the kernel is cut into blocks of
// 3×3 taps, and the picture into squares that give 3×3 pixels each. As blocks are as far apart as squares, the block
// below or beside another one reads the square below or beside it, so that every square is transformed once for all
// blocks. 9×9 taps take 25 multiplications a pixel instead of 81.
//
// The polynomials are interpolated at 0, ±1, 1/2 and infinity; that rounds less than the larger squares of winograd.h.
// A constant channel remains exactly constant.
#ifndef CKERNELS_NESTED_H
#define CKERNELS_NESTED_H

#include <stddef.h>

#include "instructions.h"
#include "winograd.h"

enum {
  /// The rows and columns of output that a square gives, and those of taps in a block.
  CK_NESTED_TILE = 3,
  /// The rows and columns of input that a square reads.
  CK_NESTED_EXTENT = 5,
};

/// Whether these channels are worked on: at least eight outputs, or at most three of at least eight inputs.
int ck_nested_suits(size_t inputs, size_t outputs);

/// The number of floats that packed weights take.
size_t ck_nested_weight_count(size_t inputs, size_t outputs, size_t taps);

/// The number of floats that a packed bias takes.
size_t ck_nested_bias_count(size_t outputs);

/// Transforms and packs weights as `ck_pack_winograd` does.
void ck_pack_nested(
    size_t inputs, size_t outputs, size_t taps, const float *weights, const float *bias, float *packed_weights,
    float *packed_bias);

/// The bytes of scratch memory, aligned to 64, that `ck_convolve_nested` wants for `tiles` squares side by side.
size_t ck_nested_scratch_bytes(size_t tiles, size_t inputs, size_t outputs, size_t taps);

/// Computes the squares `first ..< end` of a row of squares. A pixel's value does not depend on what else is computed.
/// - continues: whether the call before had the same squares of the row above and the same scratch memory, so that
///   what it has transformed can be used again.
void ck_convolve_nested(
    ck_instructions instructions, const ck_winograd *convolution, size_t row, size_t first, size_t end, int continues,
    void *scratch);

#endif
