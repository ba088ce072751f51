// The instruction sets that the kernels are compiled for.
#ifndef CKERNELS_INSTRUCTIONS_H
#define CKERNELS_INSTRUCTIONS_H

/// An instruction set.
typedef enum {
  /// What every processor of the architecture has.
  CK_INSTRUCTIONS_PORTABLE,
  /// AVX2 and FMA.
  CK_INSTRUCTIONS_AVX2,
} ck_instructions;

/// The fastest set that this processor has.
ck_instructions ck_best_instructions(void);

#endif
