// The loops of calibration.h, compiled once for each instruction set (kernels.h says how).

static float NAME(multiply_add_rounds)(size_t rounds) {
  // As many sums as fit into the registers beside the two constants.
  enum { SUMS = CK_PANEL_STEP >= 6 ? 12 : 6, VECTORS = CK_ROUND_OPERATIONS / 2 / CK_LANES };
  vec sums[SUMS];
  for (size_t i = 0; i < SUMS; i++) sums[i] = CK_SPLAT((float)i);
  // They stay between 0 and 12: neither subnormal nor infinite, which would take longer on some machines.
  vec factor = CK_SPLAT(0.75f), summand = CK_SPLAT(0.5f);
  for (size_t left = rounds * VECTORS / SUMS; left > 0; left--) {
    for (size_t i = 0; i < SUMS; i++) sums[i] = FUSED_MULTIPLY_ADD(sums[i], factor, summand);
  }
  vec total = sums[0];
  for (size_t i = 1; i < SUMS; i++) total += sums[i];
  float result = 0;
  for (size_t i = 0; i < CK_LANES; i++) result += total[i];
  return result;
}

static void NAME(stream)(float *numbers, size_t count) {
  for (size_t i = 0; i + CK_LANES <= count; i += CK_LANES) {
    CK_STORE(numbers + i, CK_LOAD(numbers + i) * CK_SPLAT(0.5f));
  }
}
