#include "model.h"

// 256 times 2^(0/3), 2^(1/3), 2^(2/3).
static const uint32_t thirds[3] = {256, 323, 406};

void ce_prepare(ce_model *model, unsigned class_index) {
  if (model->is_ready) return;
  model->is_ready = 1;
  unsigned octave = class_index / 3;
  // The mean magnitude is mean / 2^13; of a large one low bits are left out of symbols.
  uint64_t mean = (uint64_t)thirds[class_index % 3] << octave;
  model->shift = octave > 6 ? (uint8_t)(octave - 6) : 0;
  // At first magnitudes are taken to fall geometrically, by this in 2^16 from one to the next.
  uint64_t ratio = (mean << 16) / (mean + ((uint64_t)1 << (13 + model->shift)));
  uint64_t weight = 65536 - ratio;
  for (unsigned symbol = 0; symbol < CE_SYMBOLS; symbol++) {
    model->counts[symbol] = 2 + (uint32_t)(weight >> 7);
    weight = weight * ratio >> 16;
  }
  model->period = 8;
  ce_refresh(model);
}

void ce_refresh(ce_model *model) {
  uint32_t total = 0;
  for (unsigned symbol = 0; symbol < CE_SYMBOLS; symbol++) total += model->counts[symbol];
  uint32_t start = 0, likeliest = 0;
  uint32_t frequencies[CE_SYMBOLS];
  for (unsigned symbol = 0; symbol < CE_SYMBOLS; symbol++) {
    uint64_t share = (uint64_t)model->counts[symbol] * ((1u << CE_PRECISION) - CE_SYMBOLS) / total;
    frequencies[symbol] = 1 + (uint32_t)share;
    start += frequencies[symbol];
    if (model->counts[symbol] > model->counts[likeliest]) likeliest = symbol;
  }
  // What rounding down has left over.
  frequencies[likeliest] += (1u << CE_PRECISION) - start;
  start = 0;
  for (unsigned symbol = 0; symbol < CE_SYMBOLS; symbol++) {
    model->starts[symbol] = (uint16_t)start;
    start += frequencies[symbol];
  }
  model->starts[CE_SYMBOLS] = 1u << CE_PRECISION;
  model->remaining = model->period;
  if (model->period < 1024) model->period += model->period / 2;
  // Counts stay far from overflowing, and what was long ago fades.
  if (total > 1u << 24) {
    for (unsigned symbol = 0; symbol < CE_SYMBOLS; symbol++) model->counts[symbol] -= model->counts[symbol] / 2;
  }
}

unsigned ce_class_of(uint64_t sum, uint64_t count) {
  unsigned best = 0;
  // The greatest class whose lower border, 2^(-1/6) of its mean, is not above the mean.
  for (unsigned class_index = 1; class_index < CE_CLASSES; class_index++) {
    uint64_t border = ((uint64_t)thirds[class_index % 3] << (class_index / 3)) * 228 >> 8;
    // sum / count against border / 2^13; sums are below 2^15 times counts, counts below 2^32.
    if ((sum >> 32) != 0 ? (sum >> 8 << 13) / ((count >> 8) + 1) < border : (sum << 13) < border * count) break;
    best = class_index;
  }
  return best;
}
