#include "convolution.h"

#include "kernels.h"

static size_t round_up(size_t value, size_t multiple) { return (value + multiple - 1) / multiple * multiple; }

static size_t pixel_stride(size_t channels) { return channels < CK_LANES ? channels : round_up(channels, CK_LANES); }

// The output channels of a group that panels hold, zeros at the end included.
static size_t panel_channels(size_t group_outputs) { return round_up(group_outputs, CK_LANES); }

ck_convolution_kind ck_choose_convolution(size_t groups, size_t group_inputs, size_t group_outputs) {
  if (groups == 1 && group_outputs <= 3 && group_inputs >= CK_LANES) return CK_CONVOLUTION_FEW_OUTPUTS;
  if (groups >= CK_LANES && group_inputs == 1 && group_outputs == 1) return CK_CONVOLUTION_DEPTHWISE;
  return CK_CONVOLUTION_PANELS;
}

size_t ck_packed_weight_count(
    ck_convolution_kind kind, size_t groups, size_t group_inputs, size_t group_outputs, size_t taps) {
  switch (kind) {
    case CK_CONVOLUTION_PANELS: return groups * panel_channels(group_outputs) * group_inputs * taps;
    case CK_CONVOLUTION_FEW_OUTPUTS: return group_outputs * pixel_stride(group_inputs) * taps;
    case CK_CONVOLUTION_DEPTHWISE: return pixel_stride(groups) * taps;
  }
  return 0;
}

size_t ck_packed_bias_count(ck_convolution_kind kind, size_t groups, size_t group_outputs) {
  switch (kind) {
    case CK_CONVOLUTION_PANELS: return groups * panel_channels(group_outputs);
    case CK_CONVOLUTION_FEW_OUTPUTS: return group_outputs;
    case CK_CONVOLUTION_DEPTHWISE: return pixel_stride(groups);
  }
  return 0;
}

// [group][panel][tap][input][channel of the panel]
static void pack_panels(
    size_t groups, size_t group_inputs, size_t group_outputs, size_t taps, const float *weights, const float *bias,
    float *packed_weights, float *packed_bias) {
  for (size_t group = 0; group < groups; group++) {
    for (size_t first = 0; first < group_outputs; first += CK_PANEL_CHANNELS) {
      size_t left = group_outputs - first, width = left > CK_LANES ? CK_PANEL_CHANNELS : CK_LANES;
      for (size_t channel = 0; channel < width; channel++) {
        size_t output = group * group_outputs + first + channel;
        *packed_bias++ = channel < left && bias ? bias[output] : 0;
        for (size_t input = 0; input < group_inputs; input++) {
          const float *source = weights + (output * group_inputs + input) * taps;
          for (size_t tap = 0; tap < taps; tap++) {
            packed_weights[(tap * group_inputs + input) * width + channel] = channel < left ? source[tap] : 0;
          }
        }
      }
      packed_weights += taps * group_inputs * width;
    }
  }
}

// [tap][vector of inputs][output][input of the vector]
static void pack_few_outputs(
    size_t inputs, size_t outputs, size_t taps, const float *weights, const float *bias, float *packed_weights,
    float *packed_bias) {
  for (size_t output = 0; output < outputs; output++) packed_bias[output] = bias ? bias[output] : 0;
  for (size_t tap = 0; tap < taps; tap++) {
    for (size_t first = 0; first < inputs; first += CK_LANES) {
      for (size_t output = 0; output < outputs; output++) {
        for (size_t input = first; input < first + CK_LANES; input++) {
          *packed_weights++ = input < inputs ? weights[(output * inputs + input) * taps + tap] : 0;
        }
      }
    }
  }
}

// [tap][channel]
static void pack_depthwise(
    size_t channels, size_t taps, const float *weights, const float *bias, float *packed_weights,
    float *packed_bias) {
  size_t stride = pixel_stride(channels);
  for (size_t channel = 0; channel < stride; channel++) {
    packed_bias[channel] = channel < channels && bias ? bias[channel] : 0;
    for (size_t tap = 0; tap < taps; tap++) {
      packed_weights[tap * stride + channel] = channel < channels ? weights[channel * taps + tap] : 0;
    }
  }
}

void ck_pack_convolution(
    ck_convolution_kind kind, size_t groups, size_t group_inputs, size_t group_outputs, size_t taps,
    const float *weights, const float *bias, float *packed_weights, float *packed_bias) {
  switch (kind) {
    case CK_CONVOLUTION_PANELS:
      pack_panels(groups, group_inputs, group_outputs, taps, weights, bias, packed_weights, packed_bias);
      break;
    case CK_CONVOLUTION_FEW_OUTPUTS:
      pack_few_outputs(group_inputs, group_outputs, taps, weights, bias, packed_weights, packed_bias);
      break;
    case CK_CONVOLUTION_DEPTHWISE:
      pack_depthwise(groups, taps, weights, bias, packed_weights, packed_bias);
      break;
  }
}

size_t ck_convolution_scratch_bytes(size_t columns, size_t taps) {
  size_t pixels = columns + CK_PANEL_PIXELS;  // whichever block is used, at most one is incomplete
  return round_up(pixels * taps * sizeof(float *), 64) + round_up(pixels, 64);
}

// Whether the taps of a kernel row lie side by side in the input, and so are one run of memory, for `pixels`
// pixels from `column` on.
static uint8_t is_merged(const ck_convolution *c, size_t column, size_t pixels) {
  for (size_t p = column; p < column + pixels; p++) {
    const int32_t *columns = c->columns + p * c->tap_columns;
    if (columns[0] < 0) return 0;
    for (size_t tap = 1; tap < c->tap_columns; tap++) {
      if (columns[tap] != columns[0] + (int32_t)tap) return 0;
    }
  }
  return 1;
}

// Where the pixel of one tap lies.
static inline const float *pixel(const ck_convolution *c, int32_t row, int32_t column) {
  if (row < 0 || column < 0) return c->zeros;
  return c->input + (size_t)row * c->input_row_stride + (size_t)column * c->input_pixel_stride;
}

static void fill_pointers(
    const ck_convolution *c, const ck_pixel_run *run, size_t row, size_t first_column, size_t block_pixels) {
  const float **pointers = run->pointers;
  const int32_t *rows = c->rows + row * c->tap_rows;
  size_t taps = c->tap_rows * c->tap_columns;
  for (size_t block = 0; block < run->blocks; block++, pointers += taps * block_pixels) {
    for (size_t p = 0; p < block_pixels; p++) {
      size_t index = block * block_pixels + p;
      if (index >= run->pixels) index = run->pixels - 1;  // computed again and thrown away
      const int32_t *columns = c->columns + (first_column + index) * c->tap_columns;
      for (size_t y = 0; y < c->tap_rows; y++) {
        if (run->merged[block]) {
          pointers[y * block_pixels + p] = pixel(c, rows[y], columns[0]);
        } else {
          for (size_t x = 0; x < c->tap_columns; x++) {
            pointers[(y * c->tap_columns + x) * block_pixels + p] = pixel(c, rows[y], columns[x]);
          }
        }
      }
    }
  }
}

// Groups write their own channels only; the lanes beyond the last one's must not be left as they were found.
static void clear_unused_lanes(const ck_convolution *c, const ck_pixel_run *run) {
  size_t channels = c->groups * c->group_outputs, stride = pixel_stride(channels);
  for (size_t p = 0; p < run->pixels; p++) {
    memset(run->output + p * c->output_pixel_stride + channels, 0, (stride - channels) * sizeof(float));
  }
}

void ck_convolve(
    ck_instructions instructions, const ck_convolution *c, size_t first_row, size_t end_row, size_t first_column,
    size_t end_column, void *scratch) {
  const ck_kernels *kernels = ck_kernels_of(instructions);
  size_t taps = c->tap_rows * c->tap_columns, pixels = end_column - first_column;
  size_t block_pixels = c->kind == CK_CONVOLUTION_PANELS ? CK_PANEL_PIXELS : CK_FEW_PIXELS;
  size_t blocks = (pixels + block_pixels - 1) / block_pixels;
  uint8_t *merged = (uint8_t *)scratch + round_up(blocks * block_pixels * taps * sizeof(float *), 64);
  int can_merge = c->kind == CK_CONVOLUTION_FEW_OUTPUTS ||
                  (c->kind == CK_CONVOLUTION_PANELS && c->groups == 1 && c->group_inputs == c->input_pixel_stride);
  if (c->tap_columns == 0) can_merge = 0;
  for (size_t block = 0; block < blocks; block++) {
    size_t first = block * block_pixels, left = pixels - first;
    merged[block] = can_merge && is_merged(c, first_column + first, left < block_pixels ? left : block_pixels);
  }
  ck_pixel_run run = {.pointers = scratch, .merged = merged, .blocks = blocks, .pixels = pixels};
  for (size_t row = first_row; row < end_row; row++) {
    fill_pointers(c, &run, row, first_column, block_pixels);
    run.output = c->output + row * c->output_row_stride + first_column * c->output_pixel_stride;
    switch (c->kind) {
      case CK_CONVOLUTION_PANELS:
        kernels->convolve_panels(c, &run);
        if (c->groups > 1) clear_unused_lanes(c, &run);
        break;
      case CK_CONVOLUTION_FEW_OUTPUTS: kernels->convolve_few(c, &run); break;
      case CK_CONVOLUTION_DEPTHWISE: kernels->convolve_depthwise(c, &run); break;
    }
  }
}
