// Rounding the weights of a convolution so that errors make up for one another.
//
// W is [rows][columns]; both are taken in an order of their own. H = R Rᵀ and G = S Sᵀ are the moments of what the
// columns are multiplied with and of the gradient at the rows, R and S upper triangular. The squared change of the picture,
// tr(G ΔW H ΔWᵀ) = ‖Sᵀ ΔW R‖², is a sum over weights; each weight in turn is rounded so that its own term becomes small,
// given the errors before it: column after column, and row after row in each.
#ifndef CKERNELS_ROUNDING_H
#define CKERNELS_ROUNDING_H

#include <stddef.h>
#include <stdint.h>

#include "instructions.h"

enum {
  /// The states of dependent rounding.
  CK_ROUNDING_STATES = 8,
  /// The greatest magnitude whose code length is listed; beyond it grows by the last difference.
  CK_ROUNDING_RATES = 64,
};

/// What a row is rounded to.
typedef struct {
  /// A weight is `integer * step + offset`, the integer from `lowest` to `highest`; or where there is a table, what stands
  /// there at the integer. A table is sorted and begins at `lowest`, which is 0.
  float step, offset;
  int32_t lowest, highest;
  const float *table;
  /// How much less than half a step beyond an integer towards zero already rounds away from zero: 0 is plain rounding.
  float dead_zone;
  /// S[i][i]² of the row.
  float energy;
  /// The code length of each magnitude in bits, `CK_ROUNDING_RATES` of them; for dependent rounding, of the even and of the
  /// odd states one after the other. Null where bits do not count.
  const float *rates;
} ck_rounding_row;

/// What is rounded.
typedef struct {
  size_t rows, columns;
  /// Rows rounded up to a multiple of 16.
  size_t row_stride;
  /// `[columns][row_stride]`, in order; zeros in the rows beyond.
  const float *weights;
  /// R[k][t] / R[t][t] of an earlier column k for a column t, in panels of 16 columns t: panel p is `[16 * (p + 1)][16]`.
  const float *column_feed;
  /// `[rows][row_stride]`: S[k][i] / S[i][i] of an earlier row k for a row i.
  const float *row_feed;
  /// R[t][t]² of each column.
  const float *column_energies;
  const ck_rounding_row *grid;
  /// What a bit is worth, in squared change of the picture.
  float bit_worth;
  /// `[row / 16][columns][16]`: the errors, `W` less what it was rounded to.
  float *errors;
  /// `[columns][row_stride]`.
  int32_t *integers;
} ck_rounding;

/// Rounds all weights, each to an integer of its row's.
/// - Returns: the squared change of the picture that is expected.
double ck_round(ck_instructions instructions, const ck_rounding *rounding);

/// The bytes of scratch memory, aligned to 64, that `ck_round_dependently` wants.
size_t ck_dependent_rounding_scratch_bytes(size_t rows);

/// Rounds all weights so that in each column the integers of a row depend on those of the rows before: a state, which
/// starts at 0 with each column, says whether a row's integer is even, or odd or zero. rounding.c has the table of states.
/// The best of all sequences of states is looked for.
double ck_round_dependently(ck_instructions instructions, const ck_rounding *rounding, void *scratch);

/// The state behind an index: integers are `2 * index` in even states, and `2 * index - sign(index)` in odd ones.
unsigned ck_next_rounding_state(unsigned state, int32_t index);

#endif
