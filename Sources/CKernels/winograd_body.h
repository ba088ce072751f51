// The inner loops of ck_convolve_winograd, compiled once for each instruction set (kernels.h says how).

// Six numbers of a row or column of the input at the interpolation points. All rows but the second are sums of
// differences: zero, exactly, where the six are equal.
static inline __attribute__((always_inline)) void NAME(winograd_input)(
    const vec *d, size_t stride, float *output, size_t output_stride) {
  const float b = CK_WINOGRAD_POINT, b2 = b * b;
  vec d0 = d[0], d1 = d[stride], d2 = d[2 * stride], d3 = d[3 * stride], d4 = d[4 * stride], d5 = d[5 * stride];
  vec even = d4 - d2, odd = d3 - d1;
  vec p = FUSED_MULTIPLY_ADD(CK_SPLAT(-b2), d2, d4), q = FUSED_MULTIPLY_ADD(CK_SPLAT(-b2), d1, d3);
  CK_STORE(output, FUSED_MULTIPLY_ADD(CK_SPLAT(b2), d0 - d2, even));
  CK_STORE(output + output_stride, p + q);
  CK_STORE(output + 2 * output_stride, p - q);
  CK_STORE(output + 3 * output_stride, FUSED_MULTIPLY_ADD(CK_SPLAT(b), odd, even));
  CK_STORE(output + 4 * output_stride, FUSED_MULTIPLY_ADD(CK_SPLAT(-b), odd, even));
  CK_STORE(output + 5 * output_stride, FUSED_MULTIPLY_ADD(CK_SPLAT(-b2), odd, d5 - d3));
}

// From the products at the six points to `count` numbers of the output, four or five.
static inline __attribute__((always_inline)) void NAME(winograd_output)(
    size_t count, vec m0, vec m1, vec m2, vec m3, vec m4, vec m5, vec *y) {
  const float b = CK_WINOGRAD_POINT, b2 = b * b;
  vec even = m1 + m2, odd = m1 - m2, even_b = m3 + m4, odd_b = m3 - m4;
  y[0] = m0 + even + even_b;
  y[1] = FUSED_MULTIPLY_ADD(CK_SPLAT(b), odd_b, odd);
  y[2] = FUSED_MULTIPLY_ADD(CK_SPLAT(b2), even_b, even);
  y[3] = FUSED_MULTIPLY_ADD(CK_SPLAT(b2 * b), odd_b, odd);
  if (count == 4) {
    y[3] += m5;
  } else {
    y[4] = FUSED_MULTIPLY_ADD(CK_SPLAT(b2 * b2), even_b, even) + m5;
  }
}

// Transforms the input of tile number `index` of the picture; `stride` floats lie between its positions.
static void NAME(winograd_gather)(const ck_winograd *c, size_t index, float *output, size_t stride) {
  size_t size = CK_WINOGRAD_EXTENT + 1 - c->taps, across = (c->output_columns + size - 1) / size;
  size_t row = index / across * size, column = index % across * size;
  // Beyond the last row and column that the output needs they are repeated, so that what is constant remains so.
  size_t last_row = c->output_rows + c->taps - 2, last_column = c->output_columns + c->taps - 2;
  const float *pixels[CK_WINOGRAD_EXTENT][CK_WINOGRAD_EXTENT];
  for (size_t y = 0; y < CK_WINOGRAD_EXTENT; y++) {
    int32_t from_row = c->rows[row + y < last_row ? row + y : last_row];
    for (size_t x = 0; x < CK_WINOGRAD_EXTENT; x++) {
      int32_t from_column = c->columns[column + x < last_column ? column + x : last_column];
      pixels[y][x] = from_row < 0 || from_column < 0 ? c->zeros
                                                     : c->input + (size_t)from_row * c->input_row_stride +
                                                           (size_t)from_column * c->input_pixel_stride;
    }
  }
  size_t ahead = size * c->input_pixel_stride;
  for (size_t i = 0; i < c->input_pixel_stride; i += CK_LANES, output += CK_LANES) {
    // What the next tile reads beside this one, a cache line at a time: runs of memory are too short for the
    // processor to see them coming. An address that is none does no harm.
    for (size_t y = 0; i % 16 == 0 && y < CK_WINOGRAD_EXTENT; y++) {
      for (size_t x = CK_WINOGRAD_EXTENT - size; x < CK_WINOGRAD_EXTENT; x++) {
        __builtin_prefetch((const void *)((uintptr_t)(pixels[y][x] + i) + ahead * sizeof(float)));
      }
    }
    vec halfway[CK_WINOGRAD_EXTENT][CK_WINOGRAD_EXTENT];
    for (size_t x = 0; x < CK_WINOGRAD_EXTENT; x++) {
      vec d[CK_WINOGRAD_EXTENT];
      for (size_t y = 0; y < CK_WINOGRAD_EXTENT; y++) d[y] = CK_LOAD(pixels[y][x] + i);
      NAME(winograd_input)(d, 1, (float *)&halfway[0][x], CK_WINOGRAD_EXTENT * CK_LANES);
    }
    for (size_t y = 0; y < CK_WINOGRAD_EXTENT; y++) {
      NAME(winograd_input)(halfway[y], 1, output + y * CK_WINOGRAD_EXTENT * stride, stride);
    }
  }
}

// For `tiles` tiles of one position the products of their input channels and the weights of `vectors` × 8 outputs.
// The tiles come as pointers, since of a stride the compiler makes address arithmetic in the inner loop.
static inline __attribute__((always_inline)) void NAME(winograd_product)(
    size_t tiles, size_t vectors, size_t inputs, float *const *pointers, size_t offset, const float *weights,
    float *output) {
  vec sums[CK_PANEL_STEP][2];
  const float *tile[CK_PANEL_STEP];
  for (size_t t = 0; t < tiles; t++) {
    tile[t] = pointers[t] + offset;
    for (size_t v = 0; v < vectors; v++) sums[t][v] = (vec){};
  }
#pragma clang loop unroll_count(4)
  for (size_t i = 0; i < inputs; i++) {
    vec w[2];
    for (size_t v = 0; v < vectors; v++) w[v] = CK_LOAD(weights + (i * vectors + v) * CK_LANES);
    for (size_t t = 0; t < tiles; t++) {
      vec x = CK_SPLAT(tile[t][i]);
      for (size_t v = 0; v < vectors; v++) sums[t][v] = FUSED_MULTIPLY_ADD(x, w[v], sums[t][v]);
    }
  }
  for (size_t t = 0; t < tiles; t++) {
    for (size_t v = 0; v < vectors; v++) {
      CK_STORE(output + t * CK_WINOGRAD_PRODUCTS + v * CK_LANES, sums[t][v]);
    }
  }
}

// All tiles of a batch at one position, CK_PANEL_STEP at a time and what is left in twos and ones.
static inline __attribute__((always_inline)) void NAME(winograd_products)(
    size_t vectors, size_t tiles, size_t inputs, float *const *pointers, size_t offset, const float *weights,
    float *output) {
  size_t t = 0;
  for (; t + CK_PANEL_STEP <= tiles; t += CK_PANEL_STEP) {
    NAME(winograd_product)(
        CK_PANEL_STEP, vectors, inputs, pointers + t, offset, weights, output + t * CK_WINOGRAD_PRODUCTS);
  }
  for (; t + 2 <= tiles; t += 2) {
    NAME(winograd_product)(2, vectors, inputs, pointers + t, offset, weights, output + t * CK_WINOGRAD_PRODUCTS);
  }
  for (; t < tiles; t++) {
    NAME(winograd_product)(1, vectors, inputs, pointers + t, offset, weights, output + t * CK_WINOGRAD_PRODUCTS);
  }
}

#ifdef CK_PAIRS_PANELS
typedef float NAME(panel_vec) __attribute__((ext_vector_type(16), aligned(4), may_alias));

// The same for two panels of 16 outputs; `panel_stride` floats lie between their weights.
static inline __attribute__((always_inline)) void NAME(winograd_pair_product)(
    size_t tiles, size_t inputs, float *const *pointers, size_t offset, const float *weights, size_t panel_stride,
    float *output) {
  enum { MOST = 12 };
  NAME(panel_vec) sums[MOST][2];
  const float *tile[MOST];
  for (size_t t = 0; t < tiles; t++) {
    tile[t] = pointers[t] + offset;
    for (size_t v = 0; v < 2; v++) sums[t][v] = (NAME(panel_vec)){};
  }
#pragma clang loop unroll_count(4)
  for (size_t i = 0; i < inputs; i++) {
    NAME(panel_vec) w[2];
    for (size_t v = 0; v < 2; v++) {
      w[v] = *(const NAME(panel_vec) *)(weights + v * panel_stride + i * CK_PANEL_CHANNELS);
    }
    for (size_t t = 0; t < tiles; t++) {
      NAME(panel_vec) x = (NAME(panel_vec))(tile[t][i]);
      for (size_t v = 0; v < 2; v++) sums[t][v] = FUSED_MULTIPLY_ADD(x, w[v], sums[t][v]);
    }
  }
  for (size_t t = 0; t < tiles; t++) {
    for (size_t v = 0; v < 2; v++) {
      *(NAME(panel_vec) *)(output + t * CK_WINOGRAD_PRODUCTS + v * CK_PANEL_CHANNELS) = sums[t][v];
    }
  }
}

static void NAME(winograd_pair_products)(
    size_t tiles, size_t inputs, float *const *pointers, size_t offset, const float *weights, size_t panel_stride,
    float *output) {
  size_t t = 0;
  for (; t + 12 <= tiles; t += 12, output += 12 * CK_WINOGRAD_PRODUCTS) {
    NAME(winograd_pair_product)(12, inputs, pointers + t, offset, weights, panel_stride, output);
  }
  for (; t + 4 <= tiles; t += 4, output += 4 * CK_WINOGRAD_PRODUCTS) {
    NAME(winograd_pair_product)(4, inputs, pointers + t, offset, weights, panel_stride, output);
  }
  for (; t < tiles; t++, output += CK_WINOGRAD_PRODUCTS) {
    NAME(winograd_pair_product)(1, inputs, pointers + t, offset, weights, panel_stride, output);
  }
}
#endif

// Eight output channels of one tile, of which `rows` × `columns` pixels lie in the picture.
static inline __attribute__((always_inline)) void NAME(winograd_scatter)(
    size_t size, const float *products, size_t stride, vec bias, float *output, size_t row_stride,
    size_t pixel_stride, size_t rows, size_t columns) {
  vec halfway[5][CK_WINOGRAD_EXTENT];
  for (size_t x = 0; x < CK_WINOGRAD_EXTENT; x++) {
    const float *m = products + x * stride;
    vec y[5];
    NAME(winograd_output)(
        size, CK_LOAD(m), CK_LOAD(m + 6 * stride), CK_LOAD(m + 12 * stride), CK_LOAD(m + 18 * stride),
        CK_LOAD(m + 24 * stride), CK_LOAD(m + 30 * stride), y);
    for (size_t i = 0; i < size; i++) halfway[i][x] = y[i];
  }
  for (size_t i = 0; i < size && i < rows; i++, output += row_stride) {
    const vec *m = halfway[i];
    vec y[5];
    NAME(winograd_output)(size, m[0], m[1], m[2], m[3], m[4], m[5], y);
    for (size_t x = 0; x < size && x < columns; x++) CK_STORE(output + x * pixel_stride, y[x] + bias);
  }
}

static void NAME(convolve_winograd)(
    const ck_winograd *c, size_t first, size_t end, const ck_winograd_batch_memory *memory) {
  size_t size = CK_WINOGRAD_EXTENT + 1 - c->taps, across = (c->output_columns + size - 1) / size;
  size_t tiles = end - first, positions = CK_WINOGRAD_EXTENT * CK_WINOGRAD_EXTENT;
  float *pointers[CK_WINOGRAD_BATCH];
  for (size_t t = 0; t < tiles; t++) {
    pointers[t] = memory->inputs + t * c->input_pixel_stride;
    NAME(winograd_gather)(c, first + t, pointers[t], memory->input_position_stride);
  }
  size_t panel = 0, vectors;
  for (; panel < c->outputs; panel += vectors * CK_LANES) {
    size_t left = c->outputs - panel;
    const float *weights = c->weights + panel * positions * c->inputs;
    vectors = left > CK_LANES ? 2 : 1;
#ifdef CK_PAIRS_PANELS
    if (left > CK_PANEL_CHANNELS + CK_LANES) vectors = 4;
#endif
    for (size_t i = 0; i < positions; i++) {
      size_t offset = i * memory->input_position_stride;
      float *output = memory->products + i * memory->product_position_stride;
      switch (vectors) {
#ifdef CK_PAIRS_PANELS
        case 4:
          NAME(winograd_pair_products)
          (tiles, c->inputs, pointers, offset, weights + i * c->inputs * CK_PANEL_CHANNELS,
           positions * c->inputs * CK_PANEL_CHANNELS, output);
          break;
#endif
        case 2:
          NAME(winograd_products)
          (2, tiles, c->inputs, pointers, offset, weights + i * c->inputs * CK_PANEL_CHANNELS, output);
          break;
        default:
          NAME(winograd_products)(1, tiles, c->inputs, pointers, offset, weights + i * c->inputs * CK_LANES, output);
      }
    }
    for (size_t t = 0; t < tiles; t++) {
      size_t row = (first + t) / across * size, column = (first + t) % across * size;
      float *output = c->output + row * c->output_row_stride + column * c->output_pixel_stride + panel;
      for (size_t v = 0; v < vectors; v++, output += CK_LANES) {
        const float *products = memory->products + t * CK_WINOGRAD_PRODUCTS + v * CK_LANES;
        vec bias = CK_LOAD(c->bias + panel + v * CK_LANES);
        if (size == 4) {
          NAME(winograd_scatter)(
              4, products, memory->product_position_stride, bias, output, c->output_row_stride,
              c->output_pixel_stride, c->output_rows - row, c->output_columns - column);
        } else {
          NAME(winograd_scatter)(
              5, products, memory->product_position_stride, bias, output, c->output_row_stride,
              c->output_pixel_stride, c->output_rows - row, c->output_columns - column);
        }
      }
    }
  }
}
