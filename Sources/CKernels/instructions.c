#include "instructions.h"

#include "kernels.h"

ck_instructions ck_best_instructions(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    return CK_INSTRUCTIONS_AVX512;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return CK_INSTRUCTIONS_AVX2;
#endif
  return CK_INSTRUCTIONS_PORTABLE;
}

const ck_kernels *ck_kernels_of(ck_instructions instructions) {
#if defined(__x86_64__)
  if (instructions == CK_INSTRUCTIONS_AVX512) return &ck_avx512_kernels;
  if (instructions == CK_INSTRUCTIONS_AVX2) return &ck_avx2_kernels;
#endif
  (void)instructions;
  return &ck_portable_kernels;
}
