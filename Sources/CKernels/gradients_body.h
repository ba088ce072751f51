// The inner loops of gradients.h, compiled once for each instruction set (kernels.h says how).

static void NAME(scatter_row)(const ck_row_scatter *s, const float *row, float share, float *output) {
  for (size_t p = 0; p < s->pixels; p++, row += s->pixel_stride) {
    if (s->first[p] < 0) continue;
    float along = s->second ? s->along[p] : 0;
    float near = share * (1 - along), far = share * along;
    float *first = output + (size_t)s->first[p] * s->pixel_stride;
    for (size_t c = 0; c < s->pixel_stride; c++) first[c] += near * row[c];
    if (far == 0) continue;
    float *second = output + (size_t)s->second[p] * s->pixel_stride;
    for (size_t c = 0; c < s->pixel_stride; c++) second[c] += far * row[c];
  }
}

static inline __attribute__((always_inline)) vec NAME(slope)(ck_activation activation, vec x) {
  vec one = CK_SPLAT(1.0f), none = {};
  switch (activation.kind) {
    case CK_ACTIVATION_CLAMP: {
      vec above = x > CK_SPLAT(activation.a) ? one : none;
      return x < CK_SPLAT(activation.b) ? above : none;
    }
    case CK_ACTIVATION_LEAKY: return x > 0 ? one : CK_SPLAT(activation.a);
    case CK_ACTIVATION_SIGMOID: {
      vec s = NAME(sigmoid)(x);
      return s * (one - s);
    }
    case CK_ACTIVATION_TANH: {
      vec t = NAME(tangent)(x);
      return one - t * t;
    }
  }
  return one;
}

static void NAME(activation_gradient)(
    ck_activation activation, const float *input, const float *gradient, float *output, size_t count) {
  size_t i = 0;
  for (; i + CK_LANES <= count; i += CK_LANES) {
    CK_STORE(output + i, CK_LOAD(gradient + i) * NAME(slope)(activation, CK_LOAD(input + i)));
  }
  if (i < count) {
    vec x = {}, g = {};
    memcpy(&x, input + i, (count - i) * sizeof(float));
    memcpy(&g, gradient + i, (count - i) * sizeof(float));
    g *= NAME(slope)(activation, x);
    memcpy(output + i, &g, (count - i) * sizeof(float));
  }
}

static void NAME(add_norm_sums)(
    const float *input, const float *gradient, size_t pixels, size_t pixel_stride, size_t channels,
    const double *means, ck_norm_sums *sums) {
  size_t c = 0;
  for (; c + 4 <= channels; c += 4) {
    wide mean = {means[c], means[c + 1], means[c + 2], means[c + 3]}, total = {}, products = {};
    for (size_t p = 0; p < pixels; p++) {
      wide x = __builtin_convertvector(*(const unaligned_half_vec *)(input + p * pixel_stride + c), wide) - mean;
      wide g = __builtin_convertvector(*(const unaligned_half_vec *)(gradient + p * pixel_stride + c), wide);
      total += g;
      products = FUSED_MULTIPLY_ADD(g, x, products);
    }
    for (size_t i = 0; i < 4; i++) {
      sums[c + i].gradient += total[i];
      sums[c + i].product += products[i];
    }
  }
  for (; c < channels; c++) {
    for (size_t p = 0; p < pixels; p++) {
      double g = (double)gradient[p * pixel_stride + c];
      sums[c].gradient += g;
      sums[c].product += g * ((double)input[p * pixel_stride + c] - means[c]);
    }
  }
}

static void NAME(norm_gradient)(
    const float *input, const float *gradient, float *output, size_t pixels, size_t pixel_stride, const float *center,
    const float *scale, const float *slope, const float *shift) {
  for (size_t p = 0; p < pixels; p++) {
    for (size_t c = 0; c < pixel_stride; c++) {
      output[c] = gradient[c] * scale[c] + ((input[c] - center[c]) * slope[c] + shift[c]);
    }
    input += pixel_stride;
    gradient += pixel_stride;
    output += pixel_stride;
  }
}
