// The kernels for x86-64 with AVX-512: the same vectors of eight floats, of which twice as many stay in registers, and
// Winograd's products in vectors of sixteen.
#include "kernels.h"

#if defined(__x86_64__)

#define NAME(x) ck_avx512_##x
#define FUSED_MULTIPLY_ADD(a, b, c) __builtin_elementwise_fma(a, b, c)
#define CK_PAIRS_PANELS
enum { CK_PANEL_STEP = 6, CK_FEW_STEP = 4 };

#pragma clang attribute push(__attribute__((target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl"))), apply_to = function)
#include "calibration_body.h"
#include "convolution_body.h"
#include "nested_body.h"
#include "pointwise_body.h"
#include "gradients_body.h"
#include "panels_body.h"
#include "resampling_body.h"
#include "rounding_body.h"
#include "statistics_body.h"
#include "winograd_body.h"
#pragma clang attribute pop
#include "table_body.h"

#endif
