// The hot loops, in C: portable code, and AVX2+FMA where the processor has them, chosen at run time.
#ifndef CKERNELS_H
#define CKERNELS_H

#include "calibration.h"
#include "convolution.h"
#include "gradients.h"
#include "half.h"
#include "instructions.h"
#include "nested.h"
#include "panels.h"
#include "pointwise.h"
#include "resampling.h"
#include "rounding.h"
#include "sha256.h"
#include "statistics.h"
#include "winograd.h"

#endif
