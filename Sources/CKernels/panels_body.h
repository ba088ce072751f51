// The inner loops of panels.h, compiled once for each instruction set (kernels.h says how).

// `rows` of the left panel's 16 columns, from `first` on: twelve sums in registers at most.
static inline __attribute__((always_inline)) void NAME(panel_strip)(
    size_t strip, const float *left, const float *right, size_t rows, float *tile) {
  vec sums[6][2];
  for (size_t i = 0; i < strip; i++) {
    for (size_t v = 0; v < 2; v++) sums[i][v] = CK_LOAD(tile + i * CK_PANEL_WIDTH + v * CK_LANES);
  }
  for (size_t k = 0; k < rows; k++, left += CK_PANEL_WIDTH, right += CK_PANEL_WIDTH) {
    vec r[2] = {CK_LOAD(right), CK_LOAD(right + CK_LANES)};
    for (size_t i = 0; i < strip; i++) {
      vec x = CK_SPLAT(left[i]);
      for (size_t v = 0; v < 2; v++) sums[i][v] = FUSED_MULTIPLY_ADD(x, r[v], sums[i][v]);
    }
  }
  for (size_t i = 0; i < strip; i++) {
    for (size_t v = 0; v < 2; v++) CK_STORE(tile + i * CK_PANEL_WIDTH + v * CK_LANES, sums[i][v]);
  }
}

static void NAME(panel_product)(const float *left, const float *right, size_t rows, float *tile) {
  size_t first = 0;
  for (; first + CK_PANEL_STEP <= CK_PANEL_WIDTH; first += CK_PANEL_STEP) {
    NAME(panel_strip)(CK_PANEL_STEP, left + first, right, rows, tile + first * CK_PANEL_WIDTH);
  }
  enum { REST = CK_PANEL_WIDTH % CK_PANEL_STEP };
  if (REST > 0) NAME(panel_strip)(REST, left + first, right, rows, tile + first * CK_PANEL_WIDTH);
}

// sums[j][i] = Σ_k columns[k][j] * rows[k][i]
static void NAME(factor_product)(const double *columns, const double *rows, size_t count, double *sums) {
  typedef double unaligned_wide __attribute__((ext_vector_type(4), aligned(8), may_alias));
  for (size_t first = 0; first < CK_FACTOR_WIDTH; first += 4) {
    wide total[4][2] = {};
    for (size_t k = 0; k < count; k++) {
      const double *c = columns + k * CK_FACTOR_WIDTH + first, *r = rows + k * CK_FACTOR_WIDTH;
      wide low = *(const unaligned_wide *)r, high = *(const unaligned_wide *)(r + 4);
      for (size_t j = 0; j < 4; j++) {
        wide x = (wide)(c[j]);
        total[j][0] = FUSED_MULTIPLY_ADD(x, low, total[j][0]);
        total[j][1] = FUSED_MULTIPLY_ADD(x, high, total[j][1]);
      }
    }
    for (size_t j = 0; j < 4; j++) {
      *(unaligned_wide *)(sums + (first + j) * CK_FACTOR_WIDTH) = total[j][0];
      *(unaligned_wide *)(sums + (first + j) * CK_FACTOR_WIDTH + 4) = total[j][1];
    }
  }
}
