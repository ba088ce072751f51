// The hot loops, in C: portable code, and AVX2+FMA where the processor has them, chosen at run time.
#ifndef CKERNELS_H
#define CKERNELS_H

#include "calibration.h"
#include "convolution.h"
#include "half.h"
#include "instructions.h"
#include "pointwise.h"
#include "resampling.h"
#include "sha256.h"
#include "statistics.h"
#include "winograd.h"

#endif
