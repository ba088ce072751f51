// What this machine can do at best, to hold the kernels against.
#ifndef CKERNELS_CALIBRATION_H
#define CKERNELS_CALIBRATION_H

#include <stddef.h>

#include "instructions.h"

/// The floating-point operations of one round of `ck_multiply_add_rounds`: sixteen vectors of eight lanes, a
/// multiplication and an addition each.
enum { CK_ROUND_OPERATIONS = 16 * 8 * 2 };

/// Multiplies and adds in registers, in chains that do not wait for one another; returns what came of it, so that it
/// has to be done.
float ck_multiply_add_rounds(ck_instructions instructions, size_t rounds);

/// Reads `count` floats and writes them back, as a pass over a map in place does: then nothing moves but these.
void ck_stream(ck_instructions instructions, float *numbers, size_t count);

#endif
