#include "panels.h"

#include <math.h>

#include "kernels.h"

void ck_panel_product(
    ck_instructions instructions, const float *left, const float *right, size_t rows, float *tile) {
  ck_kernels_of(instructions)->panel_product(left, right, rows, tile);
}

int ck_factor_tile(
    ck_instructions instructions, const double *column_panel, double *row_panel, size_t column, int is_diagonal) {
  enum { N = CK_FACTOR_WIDTH };
  double sums[N * N];  // [column][row]
  ck_kernels_of(instructions)->factor_product(column_panel, row_panel, column * N, sums);
  double *tile = row_panel + column * N * N;
  const double *diagonal = column_panel + column * N * N;
  for (size_t j = 0; j < N; j++) {
    for (size_t i = is_diagonal ? j : 0; i < N; i++) {
      double value = tile[j * N + i] - sums[j * N + i];
      for (size_t k = 0; k < j; k++) value -= tile[k * N + i] * diagonal[k * N + j];
      if (is_diagonal && i == j) {
        if (!(value > 0)) return 1;
        value = sqrt(value);
      } else {
        value /= diagonal[j * N + j];
      }
      tile[j * N + i] = value;
    }
    if (is_diagonal) for (size_t i = 0; i < j; i++) tile[j * N + i] = 0;
  }
  return 0;
}
