#include "half.h"

#include <string.h>

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static float widen(uint16_t half) {
  uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = (half >> 10) & 31, fraction = half & 1023;
  if (exponent == 31) {  // infinity, or a NaN made quiet as the hardware does
    return float_of(sign | 0x7f800000 | (fraction ? 0x400000 : 0) | fraction << 13);
  }
  if (exponent == 0) {  // zero or subnormal: fraction * 2^-24 is exact
    float magnitude = (float)fraction * 0x1p-24f;
    return float_of(sign | bits_of(magnitude));
  }
  return float_of(sign | (exponent + 112) << 23 | fraction << 13);
}

static uint16_t narrow(float value) {
  uint32_t bits = bits_of(value), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000) return (uint16_t)(sign | 0x7e00 | (magnitude >> 13 & 0x3ff));
  if (magnitude >= 0x477ff000) return (uint16_t)(sign | 0x7c00);  // 65520 and beyond round to infinity
  if (magnitude < 0x38800000) {  // below 2^-14: subnormal; adding 0.5 rounds at bit 2^-24, ties to even
    return (uint16_t)(sign | (bits_of(float_of(magnitude) + 0.5f) - bits_of(0.5f)));
  }
  uint32_t odd = magnitude >> 13 & 1;
  return (uint16_t)(sign | (magnitude - 0x38000000 + 0xfff + odd) >> 13);
}

void ck_half_to_float_portable(const uint16_t *halves, float *floats, size_t count) {
  for (size_t i = 0; i < count; i++) floats[i] = widen(halves[i]);
}

void ck_float_to_half_portable(const float *floats, uint16_t *halves, size_t count) {
  for (size_t i = 0; i < count; i++) halves[i] = narrow(floats[i]);
}

#if defined(__x86_64__)
#include <immintrin.h>

__attribute__((target("avx,f16c"))) static size_t widen_f16c(const uint16_t *halves, float *floats, size_t count) {
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    _mm256_storeu_ps(floats + i, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(halves + i))));
  }
  return i;
}

__attribute__((target("avx,f16c"))) static size_t narrow_f16c(const float *floats, uint16_t *halves, size_t count) {
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    __m128i packed = _mm256_cvtps_ph(_mm256_loadu_ps(floats + i), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    _mm_storeu_si128((__m128i *)(halves + i), packed);
  }
  return i;
}

static int has_f16c(void) { return __builtin_cpu_supports("avx") && __builtin_cpu_supports("f16c"); }
#else
static size_t widen_f16c(const uint16_t *halves, float *floats, size_t count) {
  (void)halves, (void)floats, (void)count;
  return 0;
}
static size_t narrow_f16c(const float *floats, uint16_t *halves, size_t count) {
  (void)floats, (void)halves, (void)count;
  return 0;
}
static int has_f16c(void) { return 0; }
#endif

void ck_half_to_float(const uint16_t *halves, float *floats, size_t count) {
  size_t done = has_f16c() ? widen_f16c(halves, floats, count) : 0;
  ck_half_to_float_portable(halves + done, floats + done, count - done);
}

void ck_float_to_half(const float *floats, uint16_t *halves, size_t count) {
  size_t done = has_f16c() ? narrow_f16c(floats, halves, count) : 0;
  ck_float_to_half_portable(floats + done, halves + done, count - done);
}

size_t ck_round_to_half(float *numbers, size_t pixels, size_t pixel_stride, size_t channels) {
  enum { MOST_FLOATS = 1024 };
  uint16_t halves[MOST_FLOATS];
  float rounded[MOST_FLOATS];
  size_t overflows = 0, channel = 0;
  for (size_t done = 0, count = pixels * pixel_stride; done < count; done += MOST_FLOATS, numbers += MOST_FLOATS) {
    size_t floats = count - done < MOST_FLOATS ? count - done : MOST_FLOATS, grown = 0;
    ck_float_to_half(numbers, halves, floats);
    ck_half_to_float(halves, rounded, floats);
    for (size_t i = 0; i < floats; i++) grown += __builtin_isinf(rounded[i]) && __builtin_isfinite(numbers[i]);
    if (grown) {  // seldom: only now does it matter whose lanes they are
      for (size_t i = 0; i < floats; i++) {
        int is_used = (channel + i) % pixel_stride < channels;
        overflows += is_used && __builtin_isinf(rounded[i]) && __builtin_isfinite(numbers[i]);
      }
    }
    channel = (channel + floats) % pixel_stride;
    memcpy(numbers, rounded, floats * sizeof(float));
  }
  return overflows;
}
