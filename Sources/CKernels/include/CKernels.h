// The hot loops, in C: portable code, and AVX2+FMA where the processor has them, chosen at run time.
#ifndef CKERNELS_H
#define CKERNELS_H

#include "half.h"
#include "sha256.h"

#endif
