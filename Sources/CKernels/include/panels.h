// Matrix products of long, narrow matrices cut into panels, and the factors of symmetric matrices.
#ifndef CKERNELS_PANELS_H
#define CKERNELS_PANELS_H

#include <stddef.h>

#include "instructions.h"

enum {
  /// The columns of a panel of floats: [rows][16].
  CK_PANEL_WIDTH = 16,
  /// The rows of a panel of doubles: [columns][8], column after column.
  CK_FACTOR_WIDTH = 8,
};

/// `tile[i][j] += Σ_k left[k][i] * right[k][j]` over `rows` rows of two panels of floats, both 16 wide.
void ck_panel_product(
    ck_instructions instructions, const float *left, const float *right, size_t rows, float *tile);

/// Factors a symmetric matrix, A = L · Lᵀ, one panel of 8 rows of L after the other. A panel of L is [columns][8]: the
/// first 8 · (panel + 1) columns of the 8 rows. What is in it before is that part of A; above the diagonal anything.
///
/// Computes the 8 columns of panel `column` in the rows of panel `row` ≥ `column`, once those to the left of them are
/// there in both panels and, for `row` > `column`, those of (`column`, `column`) are.
/// - Returns: 0, or 1 where the matrix is not positive definite.
int ck_factor_tile(ck_instructions instructions, const double *column_panel, double *row_panel, size_t column, int is_diagonal);

#endif
