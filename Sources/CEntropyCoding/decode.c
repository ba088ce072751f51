#include <stdlib.h>

#include "numbers.h"

/// Reads numbers that lie about a common one: steps or classes, one a row.
static ce_result read_rows(
    ce_reader *reader, size_t rows, unsigned bits, int32_t least, int32_t greatest, int16_t *numbers) {
  int32_t common = (int32_t)ce_read_bits(reader, bits);
  ce_model model = {0};
  ce_prepare(&model, ce_read_bits(reader, CE_CLASS_BITS));
  for (size_t row = 0; row < rows; row++) {
    int32_t difference = (int32_t)ce_read_magnitude(reader, row % CE_CODERS, &model);
    if (difference != 0 && ce_read_bits(reader, 1)) difference = -difference;
    int32_t number = common + least + difference;
    if (number < least || number > greatest) return CE_TOO_GREAT;
    if (reader->has_run_out) return CE_WRONG_LENGTH;
    numbers[row] = (int16_t)number;
  }
  return CE_DONE;
}

static ce_result read_integers(
    ce_reader *reader, const ce_layout *layout, const int16_t *classes, ce_model *models, int16_t *integers) {
  unsigned turn = 0;
  int is_signed = layout->is_signed;
  for (size_t outer = 0; outer < layout->outer; outer++) {
    for (size_t inner = 0; inner < layout->inner; inner++) {
      int16_t *next = integers + outer * layout->rows * layout->inner + inner;
      unsigned state = 0;
      for (size_t row = 0; row < layout->rows; row++, next += layout->inner) {
        unsigned is_odd = state & 1;
        ce_model *model = models + 2 * (size_t)classes[row] + is_odd;
        uint32_t magnitude = ce_read_magnitude(reader, turn, model);
        turn ^= 1;
        if (layout->is_dependent) {
          state = ce_next_state[state][magnitude & 1];
          magnitude = 2 * magnitude - (magnitude != 0 ? is_odd : 0);
        }
        if (magnitude > CE_GREATEST) return CE_TOO_GREAT;
        int32_t number = (int32_t)magnitude;
        if (is_signed && magnitude != 0 && ce_read_bits(reader, 1)) number = -number;
        *next = (int16_t)number;
      }
      if (reader->has_run_out) return CE_WRONG_LENGTH;
    }
  }
  return CE_DONE;
}

ce_result ce_decode(
    const ce_layout *layout, const uint8_t *stream, size_t length, int16_t *steps, int16_t *integers) {
  ce_reader reader = {.front = stream, .back = stream + length};
  for (unsigned turn = 0; turn < CE_CODERS; turn++) {
    uint32_t low = ce_read_word(&reader);
    reader.states[turn] = low | ce_read_word(&reader) << 16;
    if (reader.has_run_out || reader.states[turn] < CE_LOWEST) return CE_WRONG_LENGTH;
  }
  ce_model *models = calloc(2 * CE_CLASSES, sizeof *models);
  int16_t *classes = malloc((layout->rows + 1) * sizeof *classes);
  ce_result result = models && classes ? CE_DONE : CE_NO_MEMORY;
  if (result == CE_DONE && steps) {
    result = read_rows(&reader, layout->rows, CE_STEP_BITS, CE_LEAST_STEP, CE_GREATEST_STEP, steps);
  }
  if (result == CE_DONE) result = read_rows(&reader, layout->rows, CE_CLASS_BITS, 0, CE_CLASSES - 1, classes);
  if (result == CE_DONE) {
    for (size_t row = 0; row < layout->rows; row++) {
      for (unsigned odd = 0; odd < 2; odd++) {
        ce_prepare(models + 2 * (size_t)classes[row] + odd, (unsigned)classes[row]);
      }
    }
    result = read_integers(&reader, layout, classes, models, integers);
  }
  free(models);
  free(classes);
  if (result != CE_DONE) return result;
  int is_whole = !reader.has_run_out && reader.front == reader.back && reader.window == 0;
  for (unsigned turn = 0; turn < CE_CODERS; turn++) is_whole &= reader.states[turn] == CE_LOWEST;
  return is_whole ? CE_DONE : CE_WRONG_LENGTH;
}
