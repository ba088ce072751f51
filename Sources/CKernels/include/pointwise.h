// What is done to each number of a picture on its own.
#ifndef CKERNELS_POINTWISE_H
#define CKERNELS_POINTWISE_H

#include <stddef.h>

#include "instructions.h"

/// A function of one number. Not-a-number always comes out as not-a-number.
typedef enum {
  /// The number between `a` and `b`.
  CK_ACTIVATION_CLAMP,
  /// The number, times `a` where it is negative.
  CK_ACTIVATION_LEAKY,
  /// 1 / (1 + exp(-x))
  CK_ACTIVATION_SIGMOID,
  /// The hyperbolic tangent.
  CK_ACTIVATION_TANH,
} ck_activation_kind;

/// An activation with its parameters.
typedef struct {
  ck_activation_kind kind;
  float a, b;
} ck_activation;

/// A function of two numbers.
typedef enum {
  CK_COMBINATION_ADD,
  CK_COMBINATION_SUBTRACT,
  CK_COMBINATION_MULTIPLY,
} ck_combination;

/// `output[i] = (input[i] - center[j]) * scale[j] + shift[j]` with `j = i % period`; output and input may be the same
/// memory. Taking the mean off first keeps the digits of a channel whose mean is far larger than its deviation.
/// The three tables hold `period` floats each, a multiple of 8.
void ck_normalize(
    ck_instructions instructions, const float *input, float *output, size_t count, const float *center,
    const float *scale, const float *shift, size_t period);

/// Applies an activation in place.
void ck_activate(ck_instructions instructions, ck_activation activation, float *numbers, size_t count);

/// Combines two rows of numbers; `output` may be either of them.
void ck_combine(
    ck_instructions instructions, ck_combination combination, const float *left, const float *right, float *output,
    size_t count);

#endif
