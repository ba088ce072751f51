// The kernels for every processor.
#include "kernels.h"

#define NAME(x) ck_portable_##x
#if defined(__aarch64__)
#define FUSED_MULTIPLY_ADD(a, b, c) __builtin_elementwise_fma(a, b, c)
enum { CK_PANEL_STEP = 6, CK_FEW_STEP = 4 };  // 32 registers of four floats
#else
#define FUSED_MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
enum { CK_PANEL_STEP = 2, CK_FEW_STEP = 1 };  // 16 registers of four floats
#endif

// Functions that pass vectors are all inlined, so that no calling convention comes into it.
#pragma clang diagnostic ignored "-Wpsabi"

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
#include "table_body.h"
