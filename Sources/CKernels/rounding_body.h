// The inner loops of rounding.h, compiled once for each instruction set (kernels.h says how).

static inline __attribute__((always_inline)) float NAME(code_length)(const float *rates, int32_t magnitude) {
  if (magnitude < CK_ROUNDING_RATES) return rates[magnitude];
  float slope = rates[CK_ROUNDING_RATES - 1] - rates[CK_ROUNDING_RATES - 2];
  return rates[CK_ROUNDING_RATES - 1] + slope * (float)(magnitude - CK_ROUNDING_RATES + 1);
}

static inline __attribute__((always_inline)) float NAME(nearest)(float value) {
  return __builtin_rintf(value);  // ties to even
}

static inline __attribute__((always_inline)) float NAME(rounded)(const ck_rounding_row *row, int32_t integer) {
  return row->table ? row->table[integer] : (float)integer * row->step + row->offset;
}

// The place of the number of a table that is nearest.
static inline int32_t NAME(nearest_in_table)(const ck_rounding_row *row, float value) {
  int32_t low = 0, high = row->highest;  // the last that may be above, and the first that may not be below
  while (low < high) {
    int32_t middle = (low + high) / 2;
    if (value - row->table[middle] > row->table[middle + 1] - value) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The integer that a weight is rounded to on its own: the nearest, or where bits count the best of it and those nearer zero.
static inline __attribute__((always_inline)) int32_t NAME(choose)(
    const ck_rounding_row *row, float value, float worth) {
  float low = (float)row->lowest, high = (float)row->highest;
  float exact = value < low ? low : value > high ? high : value;
  float shrunk = exact > row->dead_zone ? exact - row->dead_zone : exact < -row->dead_zone ? exact + row->dead_zone : 0;
  int32_t best = (int32_t)NAME(nearest)(shrunk);
  if (!row->rates || best == 0) return best;
  float cost = INFINITY;
  int32_t sign = best < 0 ? -1 : 1, first = best;
  for (int32_t candidate = first, tried = 0; tried < 3; tried++, candidate -= sign) {
    float error = value - (float)candidate;
    int32_t magnitude = candidate < 0 ? -candidate : candidate;
    float here = error * error + worth * NAME(code_length)(row->rates, magnitude);
    if (here < cost) {
      cost = here;
      best = candidate;
    }
    if (candidate == 0) break;
  }
  return best;
}

// `target` + `error` * `feed` for the rows from `first` on, into `output`.
static inline __attribute__((always_inline)) void NAME(feed_rows)(
    const float *target, const float *feed, float error, size_t first, size_t stride, float *output) {
  vec e = CK_SPLAT(error);
  for (size_t i = first / CK_LANES * CK_LANES; i < stride; i += CK_LANES) {
    CK_STORE(output + i, FUSED_MULTIPLY_ADD(e, CK_LOAD(feed + i), CK_LOAD(target + i)));
  }
}

// Rounds one column, row after row. `wanted` is what its weights should be for the errors of earlier columns to be made up
// for; `targets` is overwritten.
static double NAME(round_column)(
    const ck_rounding *r, const float *wanted, float column_energy, float *targets, int32_t *integers) {
  double loss = 0;
  memcpy(targets, wanted, r->row_stride * sizeof(float));
  for (size_t i = 0; i < r->rows; i++) {
    const ck_rounding_row *row = &r->grid[i];
    float step = row->step, weight = row->energy * column_energy;
    float worth = row->rates ? r->bit_worth / (weight * step * step) : 0;
    integers[i] = row->table ? NAME(nearest_in_table)(row, targets[i])
                             : NAME(choose)(row, (targets[i] - row->offset) / step, worth);
    float rounded = NAME(rounded)(row, integers[i]);
    float error = targets[i] - rounded;
    loss += (double)(error * error) * (double)weight;
    NAME(feed_rows)(targets, r->row_feed + i * r->row_stride, wanted[i] - rounded, i + 1, r->row_stride, targets);
  }
  return loss;
}

// Rounds one column along the best way through the states.
static double NAME(round_column_dependently)(
    const ck_rounding *r, const float *wanted, float column_energy, void *scratch, int32_t *integers) {
  enum { STATES = CK_ROUNDING_STATES };
  size_t stride = r->row_stride;
  float *targets = scratch, *next_targets = targets + STATES * stride;
  int32_t *decided = (int32_t *)(next_targets + STATES * stride);  // [row][state]
  uint8_t *before = (uint8_t *)(decided + STATES * stride);        // [row][state]
  float costs[STATES], losses[STATES];
  for (size_t s = 0; s < STATES; s++) costs[s] = INFINITY;
  costs[0] = losses[0] = 0;
  memcpy(targets, wanted, stride * sizeof(float));
  for (size_t i = 0; i < r->rows; i++) {
    const ck_rounding_row *row = &r->grid[i];
    float step = row->step, inverse = 1 / step, weight = row->energy * column_energy * step * step;
    float next_costs[STATES], next_losses[STATES], errors[STATES];
    for (size_t s = 0; s < STATES; s++) next_costs[s] = INFINITY;
    for (size_t s = 0; s < STATES; s++) {
      if (costs[s] == INFINITY) continue;
      int is_odd = s & 1;
      const float *rates = row->rates + is_odd * CK_ROUNDING_RATES;
      float value = targets[s * stride + i] * inverse;
      float magnitude = value < 0 ? -value : value;
      float position = is_odd ? (magnitude + 1) * 0.5f : magnitude * 0.5f;
      if (position > 1e6f) position = 1e6f;
      // The two indices around the weight, which lead to different states, and zero, which costs least.
      int32_t lower = (int32_t)position;
      for (int32_t candidate = 0; candidate < 3; candidate++) {
        int32_t index = candidate < 2 ? lower + candidate : 0;
        if (candidate == 2 && (lower == 0 || lower > 2)) break;
        float integer = (float)(2 * index - (is_odd && index > 0 ? 1 : 0));
        float error = magnitude - integer;
        float loss = losses[s] + weight * error * error;
        float cost = costs[s] + weight * error * error + r->bit_worth * NAME(code_length)(rates, index);
        size_t next = ck_rounding_states[s][index & 1];
        if (cost < next_costs[next]) {
          next_costs[next] = cost;
          next_losses[next] = loss;
          int32_t signed_integer = value < 0 ? -(int32_t)integer : (int32_t)integer;
          decided[i * STATES + next] = signed_integer;
          before[i * STATES + next] = (uint8_t)s;
          errors[next] = wanted[i] - (float)signed_integer * step;
        }
      }
    }
    const float *feed = r->row_feed + i * stride;
    for (size_t s = 0; s < STATES; s++) {
      costs[s] = next_costs[s];
      if (costs[s] == INFINITY) continue;
      losses[s] = next_losses[s];
      NAME(feed_rows)(
          targets + before[i * STATES + s] * stride, feed, errors[s], i + 1, stride, next_targets + s * stride);
    }
    float *swap = targets;
    targets = next_targets;
    next_targets = swap;
  }
  size_t best = 0;
  for (size_t s = 1; s < STATES; s++) {
    if (costs[s] < costs[best]) best = s;
  }
  double loss = (double)losses[best];
  for (size_t i = r->rows; i-- > 0;) {
    integers[i] = decided[i * STATES + best];
    best = before[i * STATES + best];
  }
  return loss;
}

static double NAME(round_weights)(const ck_rounding *r, void *scratch) {
  double loss = 0;
  size_t stride = r->row_stride, row_panels = stride / CK_PANEL_WIDTH;
  const float *feed = r->column_feed;
  for (size_t first = 0; first < r->columns; first += CK_PANEL_WIDTH) {
    size_t left = r->columns - first, width = left < CK_PANEL_WIDTH ? left : CK_PANEL_WIDTH;
    // What earlier panels ask of this one's columns, in the place where the integers of its columns will be: both are
    // four bytes wide.
    for (size_t panel = 0; panel < row_panels; panel++) {
      float tile[CK_PANEL_WIDTH * CK_PANEL_WIDTH] = {0};
      NAME(panel_product)(feed, r->errors + panel * r->columns * CK_PANEL_WIDTH, first, tile);
      for (size_t t = 0; t < width; t++) {
        memcpy(
            r->integers + (first + t) * stride + panel * CK_PANEL_WIDTH, tile + t * CK_PANEL_WIDTH,
            CK_PANEL_WIDTH * sizeof(float));
      }
    }
    for (size_t t = 0; t < width; t++) {
      size_t column = first + t;
      int32_t *integers = r->integers + column * stride;
      float wanted[stride], targets[stride];
      memcpy(wanted, integers, stride * sizeof(float));
      for (size_t k = 0; k < t; k++) {
        float factor = feed[(first + k) * CK_PANEL_WIDTH + t];
        for (size_t panel = 0; panel < row_panels; panel++) {
          const float *errors = r->errors + (panel * r->columns + first + k) * CK_PANEL_WIDTH;
          float *sums = wanted + panel * CK_PANEL_WIDTH;
          for (size_t i = 0; i < CK_PANEL_WIDTH; i++) sums[i] += factor * errors[i];
        }
      }
      const float *weights = r->weights + column * stride;
      for (size_t i = 0; i < stride; i++) wanted[i] += weights[i];
      loss += scratch ? NAME(round_column_dependently)(r, wanted, r->column_energies[column], scratch, integers)
                      : NAME(round_column)(r, wanted, r->column_energies[column], targets, integers);
      for (size_t i = 0; i < r->rows; i++) {
        r->errors[(i / CK_PANEL_WIDTH * r->columns + column) * CK_PANEL_WIDTH + i % CK_PANEL_WIDTH] =
            weights[i] - NAME(rounded)(&r->grid[i], integers[i]);
      }
      for (size_t i = r->rows; i < stride; i++) integers[i] = 0;
    }
    feed += (first + CK_PANEL_WIDTH) * CK_PANEL_WIDTH;
  }
  return loss;
}
