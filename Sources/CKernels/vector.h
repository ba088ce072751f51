// Vectors of eight floats in clang's vector extension: one source text becomes AVX2+FMA code, portable code (two
// SSE2 or NEON registers a vector), or whatever else the compiler can target.
#ifndef CKERNELS_VECTOR_H
#define CKERNELS_VECTOR_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { CK_LANES = 8 };

typedef float vec __attribute__((ext_vector_type(8)));
typedef int32_t mask __attribute__((ext_vector_type(8)));
typedef float half_vec __attribute__((ext_vector_type(4)));
typedef double wide __attribute__((ext_vector_type(4)));

typedef float unaligned_vec __attribute__((ext_vector_type(8), aligned(4), may_alias));
typedef float unaligned_half_vec __attribute__((ext_vector_type(4), aligned(4), may_alias));

// Macros, since functions that pass vectors would have to be compiled once for each instruction set too.
#define CK_LOAD(pointer) (*(const unaligned_vec *)(pointer))
#define CK_STORE(pointer, value) (*(unaligned_vec *)(pointer) = (value))
#define CK_SPLAT(value) ((vec)(value))

#endif
