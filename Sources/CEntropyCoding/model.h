// How likely symbols are: counts for each class of rows, turned into frequencies now and then.
#ifndef CENTROPY_MODEL_H
#define CENTROPY_MODEL_H

#include <stddef.h>
#include <stdint.h>

enum {
  CE_SYMBOLS = 16,
  /// Frequencies add up to 2^15.
  CE_PRECISION = 15,
  /// Classes of mean magnitude, three an octave: 2^(class / 3 - 5).
  CE_CLASSES = 64,
};

/// The models of one kind of number in one class.
typedef struct {
  uint32_t counts[CE_SYMBOLS];
  /// Symbols until frequencies are computed anew.
  uint32_t remaining, period;
  /// Where each symbol begins, and 2^15 at the end.
  uint16_t starts[CE_SYMBOLS + 1];
  /// Low bits that are not part of the symbol.
  uint8_t shift;
  uint8_t is_ready;
} ce_model;

/// Prepares the model of a class, unless it is.
void ce_prepare(ce_model *model, unsigned class_index);

/// Computes the frequencies from the counts.
void ce_refresh(ce_model *model);

/// Takes note of a symbol.
static inline void ce_count(ce_model *model, unsigned symbol) {
  model->counts[symbol] += 32;
  if (--model->remaining == 0) ce_refresh(model);
}

/// The class of magnitudes of this sum and number.
unsigned ce_class_of(uint64_t sum, uint64_t count);

#endif
