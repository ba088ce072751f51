#include "winograd.h"

#include "kernels.h"

enum { POSITIONS = CK_WINOGRAD_EXTENT * CK_WINOGRAD_EXTENT };

static size_t round_up(size_t value, size_t multiple) { return (value + multiple - 1) / multiple * multiple; }

size_t ck_winograd_tile(size_t taps) { return CK_WINOGRAD_EXTENT + 1 - taps; }

size_t ck_winograd_weight_count(size_t inputs, size_t outputs) {
  return POSITIONS * inputs * round_up(outputs, CK_LANES);
}

size_t ck_winograd_bias_count(size_t outputs) { return round_up(outputs, CK_LANES); }

// What one row of taps is at each of the interpolation points, over the product of the point's distances from the
// others.
static void transform_taps(size_t taps, const double *row, size_t stride, double *values, size_t value_stride) {
  static const double points[] = {0, 1, -1, CK_WINOGRAD_POINT, -CK_WINOGRAD_POINT};
  for (size_t i = 0; i < 5; i++) {
    double value = 0, power = 1, product = 1;
    for (size_t tap = 0; tap < taps; tap++, power *= points[i]) value += row[tap * stride] * power;
    for (size_t j = 0; j < 5; j++) {
      if (j != i) product *= points[i] - points[j];
    }
    values[i * value_stride] = value / product;
  }
  values[5 * value_stride] = row[(taps - 1) * stride];
}

// Weights are [panel][position][input][channel of the panel].
void ck_pack_winograd(
    size_t inputs, size_t outputs, size_t taps, const float *weights, const float *bias, float *packed_weights,
    float *packed_bias) {
  for (size_t output = 0; output < ck_winograd_bias_count(outputs); output++) {
    packed_bias[output] = output < outputs && bias ? bias[output] : 0;
  }
  memset(packed_weights, 0, ck_winograd_weight_count(inputs, outputs) * sizeof(float));
  for (size_t output = 0; output < outputs; output++) {
    size_t panel = output / CK_PANEL_CHANNELS * CK_PANEL_CHANNELS;
    size_t width = outputs - panel > CK_LANES ? CK_PANEL_CHANNELS : CK_LANES;
    float *target = packed_weights + panel * POSITIONS * inputs + (output - panel);
    for (size_t input = 0; input < inputs; input++) {
      double dense[9], rows[3 * CK_WINOGRAD_EXTENT], values[POSITIONS];
      for (size_t i = 0; i < taps * taps; i++) {
        dense[i] = (double)weights[(output * inputs + input) * taps * taps + i];
      }
      for (size_t y = 0; y < taps; y++) {
        transform_taps(taps, dense + y * taps, 1, rows + y * CK_WINOGRAD_EXTENT, 1);
      }
      for (size_t x = 0; x < CK_WINOGRAD_EXTENT; x++) {
        transform_taps(taps, rows + x, CK_WINOGRAD_EXTENT, values + x, CK_WINOGRAD_EXTENT);
      }
      for (size_t i = 0; i < POSITIONS; i++) target[(i * inputs + input) * width] = (float)values[i];
    }
  }
}

// Half a megabyte of transformed input beside the weights that pass by; whole steps of the product.
size_t ck_winograd_batch(size_t input_pixel_stride) {
  size_t tiles = (1 << 19) / (POSITIONS * sizeof(float) * input_pixel_stride);
  return tiles < 12 ? 12 : tiles > CK_WINOGRAD_BATCH ? CK_WINOGRAD_BATCH : tiles / 12 * 12;
}

// A cache line more from position to position keeps them from falling into the same few sets of the cache.
static size_t input_position_stride(size_t batch, size_t input_pixel_stride) {
  return round_up(batch * input_pixel_stride, 16) + 16;
}

static size_t product_position_stride(size_t batch) { return batch * CK_WINOGRAD_PRODUCTS + 16; }

size_t ck_winograd_scratch_bytes(size_t input_pixel_stride) {
  size_t batch = ck_winograd_batch(input_pixel_stride);
  return POSITIONS * (input_position_stride(batch, input_pixel_stride) + product_position_stride(batch)) *
         sizeof(float);
}

void ck_convolve_winograd(
    ck_instructions instructions, const ck_winograd *convolution, size_t first, size_t end, void *scratch) {
  size_t batch = ck_winograd_batch(convolution->input_pixel_stride);
  size_t stride = input_position_stride(batch, convolution->input_pixel_stride);
  ck_winograd_batch_memory memory = {
      .inputs = scratch,
      .input_position_stride = stride,
      .products = (float *)scratch + POSITIONS * stride,
      .product_position_stride = product_position_stride(batch),
  };
  ck_kernels_of(instructions)->convolve_winograd(convolution, first, end, &memory);
}
