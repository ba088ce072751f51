// The inner loops of pointwise.h, compiled once for each instruction set (kernels.h says how).

static void NAME(normalize)(
    const float *input, float *output, size_t count, const float *center, const float *scale, const float *shift,
    size_t period) {
  size_t i = 0;
  while (i + CK_LANES <= count) {
    for (size_t j = 0; j < period && i + CK_LANES <= count; j += CK_LANES, i += CK_LANES) {
      vec x = CK_LOAD(input + i) - CK_LOAD(center + j);
      CK_STORE(output + i, FUSED_MULTIPLY_ADD(x, CK_LOAD(scale + j), CK_LOAD(shift + j)));
    }
  }
  if (i < count) {
    size_t j = i % period;
    vec x = {};
    memcpy(&x, input + i, (count - i) * sizeof(float));
    x = FUSED_MULTIPLY_ADD(x - CK_LOAD(center + j), CK_LOAD(scale + j), CK_LOAD(shift + j));
    memcpy(output + i, &x, (count - i) * sizeof(float));
  }
}

// The order of the comparisons lets not-a-number through.
static inline __attribute__((always_inline)) vec NAME(clamp)(vec x, vec low, vec high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}

// e^x to about one unit in the last place: e^x = 2^n e^r with |r| ≤ ln(2) / 2, after Cephes' expf. The argument
// is kept where the result is a normal number.
static inline __attribute__((always_inline)) vec NAME(exponential)(vec x) {
  x = NAME(clamp)(x, CK_SPLAT(-87.33654f), CK_SPLAT(88.37626f));
  // Adding and subtracting 1.5 · 2^23 rounds to an integer.
  vec magic = CK_SPLAT(12582912.0f);
  vec n = FUSED_MULTIPLY_ADD(x, CK_SPLAT(1.44269504088896341f), magic) - magic;
  vec r = FUSED_MULTIPLY_ADD(n, CK_SPLAT(-0.693359375f), x);
  r = FUSED_MULTIPLY_ADD(n, CK_SPLAT(2.12194440e-4f), r);
  vec y = CK_SPLAT(1.9875691500e-4f);
  y = FUSED_MULTIPLY_ADD(y, r, CK_SPLAT(1.3981999507e-3f));
  y = FUSED_MULTIPLY_ADD(y, r, CK_SPLAT(8.3334519073e-3f));
  y = FUSED_MULTIPLY_ADD(y, r, CK_SPLAT(4.1665795894e-2f));
  y = FUSED_MULTIPLY_ADD(y, r, CK_SPLAT(1.6666665459e-1f));
  y = FUSED_MULTIPLY_ADD(y, r, CK_SPLAT(5.0000001201e-1f));
  y = FUSED_MULTIPLY_ADD(y, r * r, r + CK_SPLAT(1.0f));
  // Not-a-number has no integer: its exponent is taken as 0 and it comes through y.
  vec whole = n == n ? n : (vec){};
  mask power = (__builtin_convertvector(whole, mask) + 127) << 23;
  return y * (vec)power;
}

static inline __attribute__((always_inline)) vec NAME(sigmoid)(vec x) {
  return CK_SPLAT(1.0f) / (CK_SPLAT(1.0f) + NAME(exponential)(-x));
}

// After Cephes' tanhf: a polynomial near zero, where 1 - 2 / (e^2x + 1) would cancel.
static inline __attribute__((always_inline)) vec NAME(tangent)(vec x) {
  vec z = x * x, small = CK_SPLAT(-5.70498872745e-3f);
  small = FUSED_MULTIPLY_ADD(small, z, CK_SPLAT(2.06390887954e-2f));
  small = FUSED_MULTIPLY_ADD(small, z, CK_SPLAT(-5.37397155531e-2f));
  small = FUSED_MULTIPLY_ADD(small, z, CK_SPLAT(1.33314422036e-1f));
  small = FUSED_MULTIPLY_ADD(small, z, CK_SPLAT(-3.33332819422e-1f));
  small = FUSED_MULTIPLY_ADD(small * z, x, x);
  mask negative = x < 0;
  vec magnitude = negative ? -x : x;
  vec large = CK_SPLAT(1.0f) - CK_SPLAT(2.0f) / (NAME(exponential)(magnitude + magnitude) + CK_SPLAT(1.0f));
  large = negative ? -large : large;
  return magnitude < CK_SPLAT(0.625f) ? small : large;
}

static inline __attribute__((always_inline)) vec NAME(activated)(ck_activation activation, vec x) {
  switch (activation.kind) {
    case CK_ACTIVATION_CLAMP: return NAME(clamp)(x, CK_SPLAT(activation.a), CK_SPLAT(activation.b));
    case CK_ACTIVATION_LEAKY: return x < 0 ? x * CK_SPLAT(activation.a) : x;
    case CK_ACTIVATION_SIGMOID: return NAME(sigmoid)(x);
    case CK_ACTIVATION_TANH: return NAME(tangent)(x);
  }
  return x;
}

static inline __attribute__((always_inline)) void NAME(activate_all)(
    ck_activation activation, float *numbers, size_t count) {
  size_t i = 0;
  for (; i + CK_LANES <= count; i += CK_LANES) {
    CK_STORE(numbers + i, NAME(activated)(activation, CK_LOAD(numbers + i)));
  }
  if (i < count) {
    vec x = {};
    memcpy(&x, numbers + i, (count - i) * sizeof(float));
    x = NAME(activated)(activation, x);
    memcpy(numbers + i, &x, (count - i) * sizeof(float));
  }
}

// The switch is outside the loops, so that each of them holds one function only.
static void NAME(activate)(ck_activation activation, float *numbers, size_t count) {
  float a = activation.a, b = activation.b;
  switch (activation.kind) {
    case CK_ACTIVATION_CLAMP:
      NAME(activate_all)((ck_activation){CK_ACTIVATION_CLAMP, a, b}, numbers, count);
      break;
    case CK_ACTIVATION_LEAKY:
      NAME(activate_all)((ck_activation){CK_ACTIVATION_LEAKY, a, b}, numbers, count);
      break;
    case CK_ACTIVATION_SIGMOID:
      NAME(activate_all)((ck_activation){CK_ACTIVATION_SIGMOID, a, b}, numbers, count);
      break;
    case CK_ACTIVATION_TANH:
      NAME(activate_all)((ck_activation){CK_ACTIVATION_TANH, a, b}, numbers, count);
      break;
  }
}

static void NAME(combine)(
    ck_combination combination, const float *left, const float *right, float *output, size_t count) {
  switch (combination) {
    case CK_COMBINATION_ADD:
      for (size_t i = 0; i < count; i++) output[i] = left[i] + right[i];
      break;
    case CK_COMBINATION_SUBTRACT:
      for (size_t i = 0; i < count; i++) output[i] = left[i] - right[i];
      break;
    case CK_COMBINATION_MULTIPLY:
      for (size_t i = 0; i < count; i++) output[i] = left[i] * right[i];
      break;
  }
}
