// The inner loops of ck_convolve_nested, compiled once for each instruction set (kernels.h says how); comes after
// convolution_body.h.

// Five numbers of a row or column of the input at the interpolation points. All but the second are sums of differences:
// zero, exactly, where the five are equal.
static inline __attribute__((always_inline)) void NAME(nested_input)(const vec *d, vec *v) {
  vec b = CK_SPLAT(-CK_NESTED_POINT), rise = d[3] - d[1];
  v[0] = FUSED_MULTIPLY_ADD(b, d[2] - d[0], rise);
  v[1] = FUSED_MULTIPLY_ADD(b, d[2] + d[1], d[3] + d[2]);
  v[2] = FUSED_MULTIPLY_ADD(b, d[2] - d[1], d[3] - d[2]);
  v[3] = rise;
  v[4] = FUSED_MULTIPLY_ADD(b, rise, d[4] - d[2]);
}

// From the products at the five points to three numbers of the output.
static inline __attribute__((always_inline)) void NAME(nested_output)(const vec *m, vec *y) {
  const float b = CK_NESTED_POINT;
  vec even = m[1] + m[2];
  y[0] = (m[0] + even) + m[3];
  y[1] = FUSED_MULTIPLY_ADD(CK_SPLAT(b), m[3], m[1] - m[2]);
  y[2] = FUSED_MULTIPLY_ADD(CK_SPLAT(b * b), m[3], even) + m[4];
}

// Eight channels of a pixel, or all of fewer.
static inline __attribute__((always_inline)) vec NAME(nested_load)(const float *pixel, size_t channels) {
  if (channels >= CK_LANES) return CK_LOAD(pixel);
  vec x = {};
  for (size_t i = 0; i < channels; i++) x[i] = pixel[i];
  return x;
}

// Transforms squares of one row of them into their place among the rows that are kept.
static inline __attribute__((always_inline)) void NAME(nested_transform)(
    const ck_winograd *c, size_t channels, size_t row, size_t first, size_t tiles, const ck_nested_memory *memory) {
  size_t blocks = ck_nested_blocks(c->taps);
  float *target = memory->inputs + row % blocks * memory->row_stride;
  // Beyond the last row and column that the output needs they are repeated, so that what is constant remains so.
  size_t last_row = c->output_rows + c->taps - 2, last_column = c->output_columns + c->taps - 2;
  for (size_t t = 0; t < tiles; t++, target += channels) {
    const float *pixels[CK_NESTED_EXTENT][CK_NESTED_EXTENT];
    for (size_t y = 0; y < CK_NESTED_EXTENT; y++) {
      size_t line = row * CK_NESTED_TILE + y;
      int32_t from_row = c->rows[line < last_row ? line : last_row];
      for (size_t x = 0; x < CK_NESTED_EXTENT; x++) {
        size_t place = (first + t) * CK_NESTED_TILE + x;
        int32_t from_column = c->columns[place < last_column ? place : last_column];
        pixels[y][x] = from_row < 0 || from_column < 0 ? c->zeros
                                                       : c->input + (size_t)from_row * c->input_row_stride +
                                                             (size_t)from_column * channels;
      }
    }
    for (size_t i = 0; i < channels; i += CK_LANES) {
      vec halfway[CK_NESTED_EXTENT][CK_NESTED_EXTENT];
      for (size_t x = 0; x < CK_NESTED_EXTENT; x++) {
        vec d[CK_NESTED_EXTENT], v[CK_NESTED_EXTENT];
        for (size_t y = 0; y < CK_NESTED_EXTENT; y++) d[y] = NAME(nested_load)(pixels[y][x] + i, channels);
        NAME(nested_input)(d, v);
        for (size_t y = 0; y < CK_NESTED_EXTENT; y++) halfway[y][x] = v[y];
      }
      for (size_t y = 0; y < CK_NESTED_EXTENT; y++) {
        vec v[CK_NESTED_EXTENT];
        NAME(nested_input)(halfway[y], v);
        // Of fewer channels, the next square overwrites what is stored too much.
        for (size_t x = 0; x < CK_NESTED_EXTENT; x++) {
          CK_STORE(target + (y * CK_NESTED_EXTENT + x) * memory->position_stride + i, v[x]);
        }
      }
    }
  }
}

static void NAME(nested_gather)(
    const ck_winograd *c, size_t row, size_t first, size_t tiles, const ck_nested_memory *memory) {
  if (c->input_pixel_stride == 3) {
    NAME(nested_transform)(c, 3, row, first, tiles, memory);
  } else {
    NAME(nested_transform)(c, c->input_pixel_stride, row, first, tiles, memory);
  }
}

// Eight channels of one square, or the eight parts of each sum of one channel, row by row.
static inline __attribute__((always_inline)) void NAME(nested_result)(
    const float *products, size_t stride, vec y[CK_NESTED_TILE][CK_NESTED_TILE]) {
  vec halfway[CK_NESTED_TILE][CK_NESTED_EXTENT];
  for (size_t x = 0; x < CK_NESTED_EXTENT; x++) {
    vec m[CK_NESTED_EXTENT], column[CK_NESTED_TILE];
    for (size_t i = 0; i < CK_NESTED_EXTENT; i++) m[i] = CK_LOAD(products + (i * CK_NESTED_EXTENT + x) * stride);
    NAME(nested_output)(m, column);
    for (size_t i = 0; i < CK_NESTED_TILE; i++) halfway[i][x] = column[i];
  }
  for (size_t i = 0; i < CK_NESTED_TILE; i++) NAME(nested_output)(halfway[i], y[i]);
}

// Where the transformed squares of a block of up to CK_PANEL_PIXELS squares lie: [block row][square].
static inline void NAME(nested_pointers)(
    const ck_winograd *c, size_t row, size_t position, size_t first, size_t tiles, size_t count,
    const ck_nested_memory *memory) {
  size_t blocks = ck_nested_blocks(c->taps);
  for (size_t y = 0; y < blocks; y++) {
    const float *from =
        memory->inputs + (row + y) % blocks * memory->row_stride + position * memory->position_stride;
    for (size_t t = 0; t < count; t++) {
      size_t tile = first + t < tiles ? first + t : tiles - 1;  // computed again and thrown away
      memory->pointers[y * count + t] = from + tile * c->input_pixel_stride;
    }
  }
}

static void NAME(nested_panels)(
    const ck_winograd *c, size_t row, size_t first, size_t tiles, const ck_nested_memory *memory) {
  static const float no_bias[CK_PANEL_CHANNELS] = {0};
  size_t blocks = ck_nested_blocks(c->taps), run = blocks * c->input_pixel_stride;
  const float *weights = c->weights;
  for (size_t panel = 0; panel < c->outputs; panel += CK_PANEL_CHANNELS) {
    size_t width = c->outputs - panel > CK_LANES ? CK_PANEL_CHANNELS : CK_LANES;
    for (size_t i = 0; i < CK_NESTED_EXTENT * CK_NESTED_EXTENT; i++, weights += blocks * run * width) {
      float *output = memory->products + i * memory->product_position_stride;
      for (size_t t = 0; t < tiles; t += CK_PANEL_PIXELS) {
        NAME(nested_pointers)(c, row, i, t, tiles, CK_PANEL_PIXELS, memory);
        for (size_t step = 0; step < CK_PANEL_PIXELS && t + step < tiles; step += CK_PANEL_STEP) {
          (width == CK_PANEL_CHANNELS ? NAME(panel16) : NAME(panel8))(
              blocks, run, memory->pointers + step, weights, no_bias, output + (t + step) * CK_NESTED_PRODUCTS,
              CK_NESTED_PRODUCTS, tiles - t - step, width);
        }
      }
    }
    for (size_t t = 0; t < tiles; t++) {
      size_t top = row * CK_NESTED_TILE, left = (first + t) * CK_NESTED_TILE;
      float *output = c->output + top * c->output_row_stride + left * c->output_pixel_stride + panel;
      for (size_t v = 0; v < width; v += CK_LANES) {
        vec bias = CK_LOAD(c->bias + panel + v), y[CK_NESTED_TILE][CK_NESTED_TILE];
        NAME(nested_result)(
            memory->products + t * CK_NESTED_PRODUCTS + v, memory->product_position_stride, y);
        for (size_t i = 0; i < CK_NESTED_TILE && top + i < c->output_rows; i++) {
          float *line = output + i * c->output_row_stride + v;
          for (size_t x = 0; x < CK_NESTED_TILE && left + x < c->output_columns; x++) {
            CK_STORE(line + x * c->output_pixel_stride, y[i][x] + bias);
          }
        }
      }
    }
  }
}

// Up to CK_FEW_STEP squares × `outputs` channels; vectors run along the input channels. Each sum stays in eight parts.
static inline __attribute__((always_inline)) void NAME(nested_few_product)(
    size_t outputs, size_t blocks, size_t run, const float *const *pointers, const float *weights, float *output) {
  vec sums[CK_FEW_STEP][3];
  for (size_t p = 0; p < CK_FEW_STEP; p++) {
    for (size_t o = 0; o < outputs; o++) sums[p][o] = (vec){};
  }
  for (size_t block = 0; block < blocks; block++, pointers += CK_FEW_PIXELS) {
    const float *tile[CK_FEW_STEP];
    for (size_t p = 0; p < CK_FEW_STEP; p++) tile[p] = pointers[p];
    for (size_t i = 0; i < run; i += CK_LANES, weights += outputs * CK_LANES) {
      vec w[3];
      for (size_t o = 0; o < outputs; o++) w[o] = CK_LOAD(weights + o * CK_LANES);
      for (size_t p = 0; p < CK_FEW_STEP; p++) {
        vec x = CK_LOAD(tile[p] + i);
        for (size_t o = 0; o < outputs; o++) sums[p][o] = FUSED_MULTIPLY_ADD(x, w[o], sums[p][o]);
      }
    }
  }
  for (size_t p = 0; p < CK_FEW_STEP; p++) {
    for (size_t o = 0; o < outputs; o++) CK_STORE(output + p * CK_NESTED_PRODUCTS + o * CK_LANES, sums[p][o]);
  }
}

static inline __attribute__((always_inline)) void NAME(nested_few)(
    size_t outputs, const ck_winograd *c, size_t row, size_t first, size_t tiles, const ck_nested_memory *memory) {
  size_t blocks = ck_nested_blocks(c->taps), run = blocks * c->input_pixel_stride;
  const float *weights = c->weights;
  for (size_t i = 0; i < CK_NESTED_EXTENT * CK_NESTED_EXTENT; i++, weights += blocks * run * outputs) {
    float *output = memory->products + i * memory->product_position_stride;
    for (size_t t = 0; t < tiles; t += CK_FEW_PIXELS) {
      NAME(nested_pointers)(c, row, i, t, tiles, CK_FEW_PIXELS, memory);
      for (size_t step = 0; step < CK_FEW_PIXELS; step += CK_FEW_STEP) {
        NAME(nested_few_product)(
            outputs, blocks, run, memory->pointers + step, weights, output + (t + step) * CK_NESTED_PRODUCTS);
      }
    }
  }
  for (size_t t = 0; t < tiles; t++) {
    size_t top = row * CK_NESTED_TILE, left = (first + t) * CK_NESTED_TILE;
    float *output = c->output + top * c->output_row_stride + left * c->output_pixel_stride;
    for (size_t o = 0; o < outputs; o++) {
      vec y[CK_NESTED_TILE][CK_NESTED_TILE];
      NAME(nested_result)(
          memory->products + t * CK_NESTED_PRODUCTS + o * CK_LANES, memory->product_position_stride, y);
      for (size_t i = 0; i < CK_NESTED_TILE && top + i < c->output_rows; i++) {
        for (size_t x = 0; x < CK_NESTED_TILE && left + x < c->output_columns; x++) {
          vec s = y[i][x];
          float sum = ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
          output[i * c->output_row_stride + x * c->output_pixel_stride + o] = sum + c->bias[o];
        }
      }
    }
  }
}

static void NAME(nested_products)(
    const ck_winograd *c, size_t row, size_t first, size_t tiles, const ck_nested_memory *memory) {
  if (c->outputs >= CK_LANES) {
    NAME(nested_panels)(c, row, first, tiles, memory);
  } else if (c->outputs == 3) {
    NAME(nested_few)(3, c, row, first, tiles, memory);
  } else if (c->outputs == 2) {
    NAME(nested_few)(2, c, row, first, tiles, memory);
  } else {
    NAME(nested_few)(1, c, row, first, tiles, memory);
  }
}
