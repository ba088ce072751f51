// What the instruction sets have in common: the shapes of their inner loops and the table of their functions.
//
// The *_body.h files hold the loops. kernels_portable.c, kernels_avx2.c and kernels_avx512.c include them, each with its own
//   NAME(x)                      the name of x for that set
//   FUSED_MULTIPLY_ADD(a, b, c)  a * b + c
//   CK_PAIRS_PANELS              defined where 32 registers of 16 floats hold the products of two panels
//   CK_PANEL_STEP, CK_FEW_STEP   how many pixels it accumulates at once, so that the sums stay in registers
#ifndef CKERNELS_KERNELS_H
#define CKERNELS_KERNELS_H

#include <math.h>

#include "calibration.h"
#include "convolution.h"
#include "nested.h"
#include "gradients.h"
#include "panels.h"
#include "pointwise.h"
#include "resampling.h"
#include "rounding.h"
#include "statistics.h"
#include "vector.h"
#include "winograd.h"

enum {
  CK_PANEL_PIXELS = 6,     // 6 pixels × 16 channels: twelve of AVX2's sixteen registers hold sums
  CK_PANEL_CHANNELS = 16,
  CK_FEW_PIXELS = 4,       // 4 pixels × 3 channels: the same twelve
  CK_WINOGRAD_BATCH = 48,  // tiles at once, at most
  CK_WINOGRAD_PRODUCTS = 2 * CK_PANEL_CHANNELS,
};

// Neighbouring pixels of one output row, in blocks of CK_PANEL_PIXELS or CK_FEW_PIXELS.
typedef struct {
  const float **pointers;  // [blocks][taps][pixels of a block], of which a merged block uses the first tap_rows
  const uint8_t *merged;   // [blocks]: whether the taps of a kernel row are one run of memory for all its pixels
  size_t blocks, pixels;
  float *output;  // the first pixel's
} ck_pixel_run;

// The interpolation point beside 0, ±1 and infinity; winograd.h says why. Its powers up to the fourth are exact.
#define CK_WINOGRAD_POINT 0.5625f

// Where a batch of tiles is worked on: transformed inputs [position][tile][input_pixel_stride], and products of one
// or two panels [position][tile][CK_WINOGRAD_PRODUCTS].
typedef struct {
  float *inputs, *products;
  size_t input_position_stride, product_position_stride;  // in floats
} ck_winograd_batch_memory;

// The states of dependent rounding that follow an even and an odd index.
extern const uint8_t ck_rounding_states[CK_ROUNDING_STATES][2];

// The fourth finite point of nested.h's algorithm.
#define CK_NESTED_POINT 0.5f

// The blocks of three taps that a row or column of taps is cut into.
static inline size_t ck_nested_blocks(size_t taps) { return (taps + CK_NESTED_TILE - 1) / CK_NESTED_TILE; }

enum { CK_NESTED_PRODUCTS = 3 * CK_LANES };  // floats from one square's products to the next one's

// Where a row of squares is worked on: the transformed rows that the blocks reach, row number `row` at `row % blocks`,
// each [position][square][input_pixel_stride]; the products, [position][square][CK_NESTED_PRODUCTS].
typedef struct {
  float *inputs, *products;
  size_t row_stride, position_stride, product_position_stride;  // in floats
  const float **pointers;  // [blocks][CK_PANEL_PIXELS]
} ck_nested_memory;

// Moves every pointer of a run on to the next group's channels.
static inline void ck_advance_pointers(ck_pixel_run *run, size_t pointers_a_block, size_t floats) {
  for (size_t i = 0; i < run->blocks * pointers_a_block; i++) run->pointers[i] += floats;
}

typedef struct {
  void (*convolve_panels)(const ck_convolution *, ck_pixel_run *);
  void (*convolve_few)(const ck_convolution *, ck_pixel_run *);
  void (*convolve_depthwise)(const ck_convolution *, ck_pixel_run *);
  void (*convolve_winograd)(const ck_winograd *, size_t, size_t, const ck_winograd_batch_memory *);
  void (*nested_gather)(const ck_winograd *, size_t, size_t, size_t, const ck_nested_memory *);
  void (*nested_products)(const ck_winograd *, size_t, size_t, size_t, const ck_nested_memory *);
  void (*normalize)(const float *, float *, size_t, const float *, const float *, const float *, size_t);
  void (*activate)(ck_activation, float *, size_t);
  void (*combine)(ck_combination, const float *, const float *, float *, size_t);
  void (*add_moments)(const float *, size_t, size_t, size_t, ck_moments *);
  void (*blend_row)(const ck_row_blend *, float *);
  void (*scatter_row)(const ck_row_scatter *, const float *, float, float *);
  void (*activation_gradient)(ck_activation, const float *, const float *, float *, size_t);
  void (*add_norm_sums)(const float *, const float *, size_t, size_t, size_t, const double *, ck_norm_sums *);
  void (*norm_gradient)(
      const float *, const float *, float *, size_t, size_t, const float *, const float *, const float *, const float *);
  void (*panel_product)(const float *, const float *, size_t, float *);
  void (*factor_product)(const double *, const double *, size_t, double *);
  double (*round_weights)(const ck_rounding *, void *);
  float (*multiply_add_rounds)(size_t);
  void (*stream)(const float *, float *, size_t);
} ck_kernels;

extern const ck_kernels ck_portable_kernels;
#if defined(__x86_64__)
extern const ck_kernels ck_avx2_kernels;
extern const ck_kernels ck_avx512_kernels;
#endif

// The table of a set; the portable one where the set was not compiled.
const ck_kernels *ck_kernels_of(ck_instructions instructions);

#endif
