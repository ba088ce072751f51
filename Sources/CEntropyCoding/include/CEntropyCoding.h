// The entropy coding of integer weights: Schemas/stylemodel-format.md, "Coded payloads", describes it to the bit.
//
// Integers are cut into a symbol of 16 (how large they are), which is coded by interleaved rANS with a model for each
// class of rows, and plain bits (signs, low bits). Symbols fill the stream from its front, bits from its back.
//
// Nothing here is floating point, and nothing depends on the machine. A decoder reads nothing outside its input, writes
// nothing outside its output, and takes a time that its output bounds, whatever the bytes are.
#ifndef CENTROPY_CODING_H
#define CENTROPY_CODING_H

#include <stddef.h>
#include <stdint.h>

enum {
  /// The states of dependent integers.
  CE_STATES = 8,
  /// The greatest magnitude of an integer.
  CE_GREATEST = 32767,
  /// Steps are 2^(e/8) with e from the first to the second of these: what normal floats can hold.
  CE_LEAST_STEP = -1008,
  CE_GREATEST_STEP = 1023,
};

/// How integers are arranged: `[outer][rows][inner]`, and what is known of them.
typedef struct {
  size_t outer, rows, inner;
  /// Whether there are negative ones.
  int is_signed;
  /// Whether those of a column depend on one another: see `ce_depend`.
  int is_dependent;
} ce_layout;

/// What decoding comes to.
typedef enum {
  CE_DONE = 0,
  /// The symbols or the bits run out, or some are left over.
  CE_WRONG_LENGTH,
  /// An integer, a step or a class is greater than can be.
  CE_TOO_GREAT,
  /// Memory for the models is not to be had.
  CE_NO_MEMORY,
} ce_result;

/// The state that follows, by whether the index is odd. Integers are `2 * index` in even states, `2 * index` less its sign in
/// odd ones. A column begins in state 0.
extern const uint8_t ce_next_state[CE_STATES][2];

/// Whether the integers of every column are such as dependent ones can be.
int ce_depend(const ce_layout *layout, const int16_t *integers);

/// Encodes the integers, and the steps of the rows as powers of 2^(1/8) unless `steps` is null.
/// - Returns: the length of the stream, or 0 where it does not fit the capacity, memory is short, or a magnitude or
///   a step is beyond its bounds.
size_t ce_encode(
    const ce_layout *layout, const int16_t *steps, const int16_t *integers, uint8_t *stream, size_t capacity);

/// Decodes a stream of exactly `length` bytes.
/// - Parameter steps: one a row, or null as it was for the encoder.
ce_result ce_decode(
    const ce_layout *layout, const uint8_t *stream, size_t length, int16_t *steps, int16_t *integers);

#endif
