// The two ways through one stream: symbols from the front, bits from the back.
#ifndef CENTROPY_STREAMS_H
#define CENTROPY_STREAMS_H

#include <stddef.h>
#include <stdint.h>

#include "model.h"

/// Two coders take turns, so that a decoder can work on two symbols at a time.
enum { CE_CODERS = 2 };

/// A state is at least this; below it two bytes come in.
#define CE_LOWEST ((uint32_t)1 << 16)

/// What is left of a stream.
typedef struct {
  const uint8_t *front, *back;
  uint32_t states[CE_CODERS];
  /// Bits that have been taken from the back, least significant first.
  uint64_t window;
  unsigned held;
  /// Set once there was too little.
  int has_run_out;
} ce_reader;

static inline uint32_t ce_read_word(ce_reader *reader) {
  if (reader->back - reader->front < 2) {
    reader->has_run_out = 1;
    return 0;
  }
  uint32_t word = reader->front[0] | (uint32_t)reader->front[1] << 8;
  reader->front += 2;
  return word;
}

static inline uint32_t ce_read_bits(ce_reader *reader, unsigned count) {
  while (reader->held < count) {
    uint64_t byte = 0;
    if (reader->back == reader->front) {
      reader->has_run_out = 1;
    } else {
      byte = *--reader->back;
    }
    reader->window |= byte << reader->held;
    reader->held += 8;
  }
  uint32_t bits = (uint32_t)(reader->window & (((uint64_t)1 << count) - 1));
  reader->window >>= count;
  reader->held -= count;
  return bits;
}

static inline unsigned ce_read_symbol(ce_reader *reader, unsigned turn, ce_model *model) {
  uint32_t state = reader->states[turn];
  uint32_t place = state & ((1u << CE_PRECISION) - 1);
  unsigned symbol = 0;
  // How many of the symbols behind the first begin at the place or before it.
  for (unsigned next = 1; next < CE_SYMBOLS; next++) symbol += model->starts[next] <= place;
  uint32_t start = model->starts[symbol];
  state = (model->starts[symbol + 1] - start) * (state >> CE_PRECISION) + place - start;
  if (state < CE_LOWEST) state = state << 16 | ce_read_word(reader);
  reader->states[turn] = state;
  ce_count(model, symbol);
  return symbol;
}

#endif
