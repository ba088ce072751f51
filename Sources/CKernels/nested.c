#include "nested.h"

#include "kernels.h"

enum { POSITIONS = CK_NESTED_EXTENT * CK_NESTED_EXTENT };

static size_t round_up(size_t value, size_t multiple) { return (value + multiple - 1) / multiple * multiple; }

static int is_few(size_t inputs, size_t outputs) { return outputs <= 3 && inputs >= CK_LANES; }

static size_t pixel_stride(size_t channels) { return channels < CK_LANES ? channels : round_up(channels, CK_LANES); }

int ck_nested_suits(size_t inputs, size_t outputs) { return outputs >= CK_LANES || is_few(inputs, outputs); }

size_t ck_nested_weight_count(size_t inputs, size_t outputs, size_t taps) {
  size_t blocks = ck_nested_blocks(taps);
  size_t channels = is_few(inputs, outputs) ? outputs : round_up(outputs, CK_LANES);
  return POSITIONS * blocks * blocks * pixel_stride(inputs) * channels;
}

size_t ck_nested_bias_count(size_t outputs) { return round_up(outputs, CK_LANES); }

// What three taps are at each of the interpolation points, over the product of the point's distances from the others.
static void transform_taps(const double *taps, size_t stride, double *values, size_t value_stride) {
  static const double points[] = {0, 1, -1, CK_NESTED_POINT};
  for (size_t i = 0; i < 4; i++) {
    double product = 1;
    for (size_t j = 0; j < 4; j++) {
      if (j != i) product *= points[i] - points[j];
    }
    double value = taps[0] + (taps[stride] + taps[2 * stride] * points[i]) * points[i];
    values[i * value_stride] = value / product;
  }
  values[4 * value_stride] = taps[2 * stride];
}

// Transforms the block of taps from `top` and `left` on; where it reaches over the kernel's edge there are zeros.
static void transform_block(const float *kernel, size_t taps, size_t top, size_t left, double *values) {
  double dense[CK_NESTED_TILE * CK_NESTED_TILE], rows[CK_NESTED_TILE * CK_NESTED_EXTENT];
  for (size_t y = 0; y < CK_NESTED_TILE; y++) {
    for (size_t x = 0; x < CK_NESTED_TILE; x++) {
      int inside = top + y < taps && left + x < taps;
      dense[y * CK_NESTED_TILE + x] = inside ? (double)kernel[(top + y) * taps + left + x] : 0;
    }
    transform_taps(dense + y * CK_NESTED_TILE, 1, rows + y * CK_NESTED_EXTENT, 1);
  }
  for (size_t x = 0; x < CK_NESTED_EXTENT; x++) {
    transform_taps(rows + x, CK_NESTED_EXTENT, values + x, CK_NESTED_EXTENT);
  }
}

// Where the weight of one input lies among those of its position, from the first of its panel or kernel on. Panels are
// [block row][block column][input][channel of the panel]; few outputs are
// [block row][block column][vector of inputs][output][input of the vector].
static size_t weight_index(int few, size_t block, size_t stride, size_t input, size_t width, size_t channel) {
  if (!few) return (block * stride + input) * width + channel;
  size_t vector = (block * stride + input) / CK_LANES;
  return (vector * width + channel) * CK_LANES + input % CK_LANES;
}

// Weights are [panel][position][as weight_index says]; few outputs are one panel.
void ck_pack_nested(
    size_t inputs, size_t outputs, size_t taps, const float *weights, const float *bias, float *packed_weights,
    float *packed_bias) {
  size_t blocks = ck_nested_blocks(taps), stride = pixel_stride(inputs), depth = blocks * blocks * stride;
  int few = is_few(inputs, outputs);
  for (size_t output = 0; output < ck_nested_bias_count(outputs); output++) {
    packed_bias[output] = output < outputs && bias ? bias[output] : 0;
  }
  memset(packed_weights, 0, ck_nested_weight_count(inputs, outputs, taps) * sizeof(float));
  for (size_t output = 0; output < outputs; output++) {
    size_t panel = output / CK_PANEL_CHANNELS * CK_PANEL_CHANNELS;
    size_t width = few ? outputs : outputs - panel > CK_LANES ? CK_PANEL_CHANNELS : CK_LANES;
    float *target = packed_weights + panel * POSITIONS * depth;
    for (size_t input = 0; input < inputs; input++) {
      const float *kernel = weights + (output * inputs + input) * taps * taps;
      for (size_t block = 0; block < blocks * blocks; block++) {
        double values[POSITIONS];
        transform_block(
            kernel, taps, block / blocks * CK_NESTED_TILE, block % blocks * CK_NESTED_TILE, values);
        size_t index = weight_index(few, block, stride, input, width, output - panel);
        for (size_t i = 0; i < POSITIONS; i++) target[i * depth * width + index] = (float)values[i];
      }
    }
  }
}

// A transformed row of squares, [position][square][input_pixel_stride], with as many squares more as the blocks reach
// beyond the last one; whole vectors may be stored at the last one too.
static size_t position_stride(size_t tiles, size_t inputs, size_t blocks) {
  return round_up((tiles + blocks - 1) * pixel_stride(inputs) + CK_LANES, 16) + 16;
}

// Products are [position][square][channel of the panel], or of few outputs [position][square][output][lane].
// Whole blocks of few outputs are written.
static size_t product_position_stride(size_t tiles) {
  return round_up(tiles, CK_FEW_PIXELS) * CK_NESTED_PRODUCTS + 16;
}

size_t ck_nested_scratch_bytes(size_t tiles, size_t inputs, size_t outputs, size_t taps) {
  (void)outputs;
  size_t blocks = ck_nested_blocks(taps);
  size_t floats = blocks * position_stride(tiles, inputs, blocks) + product_position_stride(tiles);
  return round_up(POSITIONS * floats * sizeof(float), 64) + blocks * CK_PANEL_PIXELS * sizeof(float *);
}

void ck_convolve_nested(
    ck_instructions instructions, const ck_winograd *c, size_t row, size_t first, size_t end, int continues,
    void *scratch) {
  const ck_kernels *kernels = ck_kernels_of(instructions);
  size_t blocks = ck_nested_blocks(c->taps), tiles = end - first;
  ck_nested_memory memory = {
      .inputs = scratch,
      .position_stride = position_stride(tiles, c->inputs, blocks),
      .product_position_stride = product_position_stride(tiles),
  };
  memory.row_stride = POSITIONS * memory.position_stride;
  memory.products = memory.inputs + blocks * memory.row_stride;
  size_t floats = blocks * memory.row_stride + POSITIONS * memory.product_position_stride;
  memory.pointers = (const float **)((char *)scratch + round_up(floats * sizeof(float), 64));
  for (size_t i = continues ? blocks - 1 : 0; i < blocks; i++) {
    kernels->nested_gather(c, row + i, first, tiles + blocks - 1, &memory);
  }
  kernels->nested_products(c, row, first, tiles, &memory);
}
