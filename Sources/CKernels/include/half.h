// Conversions between IEEE 754 binary16 ("half") and float.
#ifndef CKERNELS_HALF_H
#define CKERNELS_HALF_H

#include <stddef.h>
#include <stdint.h>

/// Widens `count` halves to floats, exactly. NaN payloads are kept as far as they fit.
void ck_half_to_float(const uint16_t *halves, float *floats, size_t count);

/// Rounds `count` floats to the nearest half, ties to even; what lies beyond 65504 becomes an infinity.
void ck_float_to_half(const float *floats, uint16_t *halves, size_t count);

/// Rounds `pixels` pixels of `pixel_stride` floats to the nearest half in place, ties to even. Returns how many finite
/// numbers among the first `channels` of each pixel became infinite.
size_t ck_round_to_half(float *numbers, size_t pixels, size_t pixel_stride, size_t channels);

/// The two conversions in portable code only: the judges of the fast paths.
void ck_half_to_float_portable(const uint16_t *halves, float *floats, size_t count);
void ck_float_to_half_portable(const float *floats, uint16_t *halves, size_t count);

#endif
