#include <stdlib.h>
#include <string.h>

#include "numbers.h"

/// What is to be written: symbols with their frequencies, in order, and bits.
typedef struct {
  /// The turn, the start and the frequency less one of each symbol: 1, 15 and 15 bits. rANS writes them last to first.
  uint32_t *symbols;
  size_t symbol_count;
  uint8_t *bits;
  size_t bit_count, byte_capacity;
  int is_full;
} ce_writer;

static void write_bits(ce_writer *writer, uint32_t value, unsigned count) {
  if (writer->bit_count + count > 8 * writer->byte_capacity) {
    writer->is_full = 1;
    return;
  }
  for (unsigned bit = 0; bit < count; bit++, writer->bit_count++) {
    writer->bits[writer->bit_count / 8] |= (uint8_t)((value >> bit & 1) << writer->bit_count % 8);
  }
}

static void write_magnitude(ce_writer *writer, unsigned turn, ce_model *model, uint32_t magnitude) {
  uint32_t high = magnitude >> model->shift;
  unsigned symbol = high < CE_ESCAPE ? high : CE_ESCAPE;
  uint32_t start = model->starts[symbol];
  writer->symbols[writer->symbol_count++] =
      (uint32_t)turn << 31 | start << 15 | (model->starts[symbol + 1] - start - 1);
  ce_count(model, symbol);
  if (symbol == CE_ESCAPE) {
    uint32_t beyond = high - CE_ESCAPE + 1;
    unsigned zeros = 31 - (unsigned)__builtin_clz(beyond);
    write_bits(writer, (uint32_t)1 << zeros, zeros + 1);
    write_bits(writer, beyond - ((uint32_t)1 << zeros), zeros);
  }
  write_bits(writer, magnitude & (((uint32_t)1 << model->shift) - 1), model->shift);
}

static int compare(const void *left, const void *right) { return *(const int16_t *)left - *(const int16_t *)right; }

/// Writes numbers that lie about a common one.
/// - Parameter scratch: as many numbers.
static void write_rows(
    ce_writer *writer, size_t rows, unsigned bits, int32_t least, const int16_t *numbers, int16_t *scratch) {
  int32_t common = 0;
  if (rows > 0) {
    memcpy(scratch, numbers, rows * sizeof *numbers);
    qsort(scratch, rows, sizeof *scratch, compare);
    common = scratch[rows / 2];
  }
  uint64_t sum = 0;
  for (size_t row = 0; row < rows; row++) sum += (uint64_t)abs(numbers[row] - common);
  unsigned class_index = rows > 0 ? ce_class_of(sum, rows) : 0;
  write_bits(writer, rows > 0 ? (uint32_t)(common - least) : 0, bits);
  write_bits(writer, class_index, CE_CLASS_BITS);
  ce_model model = {0};
  ce_prepare(&model, class_index);
  for (size_t row = 0; row < rows; row++) {
    int32_t difference = numbers[row] - common;
    write_magnitude(writer, row % CE_CODERS, &model, (uint32_t)abs(difference));
    if (difference != 0) write_bits(writer, difference < 0, 1);
  }
}

/// The magnitudes as they are coded: indices, where integers depend on one another.
static int indices(const ce_layout *layout, const int16_t *integers, uint16_t *magnitudes) {
  for (size_t outer = 0; outer < layout->outer; outer++) {
    for (size_t inner = 0; inner < layout->inner; inner++) {
      size_t place = outer * layout->rows * layout->inner + inner;
      unsigned state = 0;
      for (size_t row = 0; row < layout->rows; row++, place += layout->inner) {
        unsigned magnitude = (unsigned)abs(integers[place]);
        if (magnitude > CE_GREATEST || (integers[place] < 0 && !layout->is_signed)) return 0;
        unsigned is_odd = state & 1;
        if (layout->is_dependent) {
          if (magnitude != 0 && (magnitude & 1) != is_odd) return 0;
          magnitude = (magnitude + 1) / 2;
          state = ce_next_state[state][magnitude & 1];
        }
        // The lowest bit says by which of the two models.
        magnitudes[place] = (uint16_t)(magnitude << 1 | is_odd);
      }
    }
  }
  return 1;
}

static void choose_classes(const ce_layout *layout, const uint16_t *magnitudes, int16_t *classes) {
  for (size_t row = 0; row < layout->rows; row++) {
    uint64_t sum = 0;
    for (size_t outer = 0; outer < layout->outer; outer++) {
      const uint16_t *run = magnitudes + (outer * layout->rows + row) * layout->inner;
      for (size_t inner = 0; inner < layout->inner; inner++) sum += run[inner] >> 1;
    }
    uint64_t count = (uint64_t)layout->outer * layout->inner;
    classes[row] = (int16_t)(count > 0 ? ce_class_of(sum, count) : 0);
  }
}

static void write_integers(
    ce_writer *writer, const ce_layout *layout, const int16_t *classes, ce_model *models, const int16_t *integers,
    const uint16_t *magnitudes) {
  unsigned turn = 0;
  for (size_t outer = 0; outer < layout->outer; outer++) {
    for (size_t inner = 0; inner < layout->inner; inner++) {
      size_t place = outer * layout->rows * layout->inner + inner;
      for (size_t row = 0; row < layout->rows; row++, place += layout->inner) {
        ce_model *model = models + 2 * (size_t)classes[row] + (magnitudes[place] & 1);
        ce_prepare(models + 2 * (size_t)classes[row], (unsigned)classes[row]);
        ce_prepare(models + 2 * (size_t)classes[row] + 1, (unsigned)classes[row]);
        write_magnitude(writer, turn, model, magnitudes[place] >> 1);
        turn ^= 1;
        if (layout->is_signed && integers[place] != 0) write_bits(writer, integers[place] < 0, 1);
      }
    }
  }
}

/// Writes the symbols into the front of the stream, last to first, and the bits into its back.
static size_t assemble(const ce_writer *writer, uint8_t *stream, size_t capacity) {
  size_t byte_count = (writer->bit_count + 7) / 8;
  if (byte_count + 4 * CE_CODERS > capacity) return 0;
  // Symbols grow down from where bits will begin.
  size_t end = capacity - byte_count, front = end;
  uint32_t states[CE_CODERS];
  for (unsigned turn = 0; turn < CE_CODERS; turn++) states[turn] = CE_LOWEST;
  for (size_t index = writer->symbol_count; index-- > 0;) {
    uint32_t packed = writer->symbols[index];
    unsigned turn = packed >> 31;
    uint32_t start = packed >> 15 & 0xffff, frequency = (packed & 0x7fff) + 1;
    uint32_t state = states[turn];
    if (state >> 17 >= frequency) {
      if (front < 2 + 4 * CE_CODERS) return 0;
      stream[--front] = (uint8_t)(state >> 8);
      stream[--front] = (uint8_t)state;
      state >>= 16;
    }
    states[turn] = (state / frequency << CE_PRECISION) + state % frequency + start;
  }
  for (unsigned turn = CE_CODERS; turn-- > 0;) {
    for (unsigned byte = 4; byte-- > 0;) stream[--front] = (uint8_t)(states[turn] >> (8 * byte));
  }
  memmove(stream, stream + front, end - front);
  for (size_t byte = 0; byte < byte_count; byte++) stream[end - front + byte_count - 1 - byte] = writer->bits[byte];
  return end - front + byte_count;
}

size_t ce_encode(
    const ce_layout *layout, const int16_t *steps, const int16_t *integers, uint8_t *stream, size_t capacity) {
  size_t rows = layout->rows, count = layout->outer * rows * layout->inner;
  ce_writer writer = {.byte_capacity = capacity};
  writer.symbols = malloc((count + 2 * rows + 1) * sizeof *writer.symbols);
  writer.bits = calloc(capacity + 1, 1);
  uint16_t *magnitudes = malloc((count + 1) * sizeof *magnitudes);
  int16_t *classes = malloc((2 * rows + 1) * sizeof *classes);
  ce_model *models = calloc(2 * CE_CLASSES, sizeof *models);
  size_t length = 0;
  int is_sound = writer.symbols && writer.bits && magnitudes && classes && models;
  for (size_t row = 0; is_sound && steps && row < rows; row++) {
    is_sound = steps[row] >= CE_LEAST_STEP && steps[row] <= CE_GREATEST_STEP;
  }
  if (is_sound && indices(layout, integers, magnitudes)) {
    choose_classes(layout, magnitudes, classes);
    if (steps) write_rows(&writer, rows, CE_STEP_BITS, CE_LEAST_STEP, steps, classes + rows);
    write_rows(&writer, rows, CE_CLASS_BITS, 0, classes, classes + rows);
    write_integers(&writer, layout, classes, models, integers, magnitudes);
    if (!writer.is_full) length = assemble(&writer, stream, capacity);
  }
  free(writer.symbols);
  free(writer.bits);
  free(magnitudes);
  free(classes);
  free(models);
  return length;
}
