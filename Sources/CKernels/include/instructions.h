// The instruction sets that the kernels are compiled for.
#ifndef CKERNELS_INSTRUCTIONS_H
#define CKERNELS_INSTRUCTIONS_H

/// An instruction set.
typedef enum {
  /// What every processor of the architecture has.
  CK_INSTRUCTIONS_PORTABLE,
  /// AVX2 and FMA.
  CK_INSTRUCTIONS_AVX2,
  /// AVX2, FMA, and AVX-512 with the extensions that every processor for servers has (F, BW, DQ, VL).
  CK_INSTRUCTIONS_AVX512,
} ck_instructions;

/// The fastest set that this processor has; one has all that those before it have.
ck_instructions ck_best_instructions(void);

#endif
