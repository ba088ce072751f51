// One number as a symbol and bits.
#ifndef CENTROPY_NUMBERS_H
#define CENTROPY_NUMBERS_H

#include "CEntropyCoding.h"
#include "streams.h"

enum {
  /// The symbol of all magnitudes that have none of their own.
  CE_ESCAPE = CE_SYMBOLS - 1,
  CE_CLASS_BITS = 6,
  CE_STEP_BITS = 11,
};

/// Reads a magnitude; one beyond the greatest comes back as such a one.
static inline uint32_t ce_read_magnitude(ce_reader *reader, unsigned turn, ce_model *model) {
  uint32_t high = ce_read_symbol(reader, turn, model);
  if (high == CE_ESCAPE) {
    // What is beyond, plus one, by its length in zeros, then its bits.
    unsigned zeros = 0;
    while (zeros < 16 && ce_read_bits(reader, 1) == 0) zeros++;
    if (zeros == 16) return CE_GREATEST + 1;
    high += ((uint32_t)1 << zeros) + ce_read_bits(reader, zeros) - 1;
  }
  return high << model->shift | (model->shift > 0 ? ce_read_bits(reader, model->shift) : 0);
}

#endif
