// The inner loops of ck_convolve, compiled once for each instruction set (kernels.h says how).

// Up to CK_PANEL_STEP pixels × `vectors` × 8 output channels over all taps; `pointers` is [taps][CK_PANEL_PIXELS].
static inline __attribute__((always_inline)) void NAME(panel)(
    size_t vectors, size_t taps, size_t inputs, const float *const *pointers, const float *weights,
    const float *bias, float *output, size_t output_stride, size_t pixels, size_t channels) {
  vec sums[CK_PANEL_STEP][2];
  for (size_t p = 0; p < CK_PANEL_STEP; p++) {
    for (size_t v = 0; v < vectors; v++) sums[p][v] = CK_LOAD(bias + v * CK_LANES);
  }
  for (size_t tap = 0; tap < taps; tap++, pointers += CK_PANEL_PIXELS) {
    const float *pixel[CK_PANEL_STEP];
    for (size_t p = 0; p < CK_PANEL_STEP; p++) pixel[p] = pointers[p];
    for (size_t i = 0; i < inputs; i++, weights += vectors * CK_LANES) {
      vec w[2];
      for (size_t v = 0; v < vectors; v++) w[v] = CK_LOAD(weights + v * CK_LANES);
      for (size_t p = 0; p < CK_PANEL_STEP; p++) {
        vec x = CK_SPLAT(pixel[p][i]);
        for (size_t v = 0; v < vectors; v++) sums[p][v] = FUSED_MULTIPLY_ADD(x, w[v], sums[p][v]);
      }
    }
  }
  if (channels == vectors * CK_LANES && pixels >= CK_PANEL_STEP) {
    for (size_t p = 0; p < CK_PANEL_STEP; p++) {
      for (size_t v = 0; v < vectors; v++) CK_STORE(output + p * output_stride + v * CK_LANES, sums[p][v]);
    }
  } else {
    vec copy[CK_PANEL_STEP][2];
    memcpy(copy, sums, sizeof copy);
    for (size_t p = 0; p < CK_PANEL_STEP && p < pixels; p++) {
      memcpy(output + p * output_stride, copy[p], channels * sizeof(float));
    }
  }
}

static void NAME(panel16)(
    size_t taps, size_t inputs, const float *const *pointers, const float *weights, const float *bias,
    float *output, size_t output_stride, size_t pixels, size_t channels) {
  NAME(panel)(2, taps, inputs, pointers, weights, bias, output, output_stride, pixels, channels);
}

static void NAME(panel8)(
    size_t taps, size_t inputs, const float *const *pointers, const float *weights, const float *bias,
    float *output, size_t output_stride, size_t pixels, size_t channels) {
  NAME(panel)(1, taps, inputs, pointers, weights, bias, output, output_stride, pixels, channels);
}

// All output channels of a run of pixels; a panel's weights serve the whole run before the next panel's turn.
static void NAME(convolve_panels)(const ck_convolution *c, ck_pixel_run *run) {
  const float *weights = c->weights, *bias = c->bias;
  size_t taps = c->tap_rows * c->tap_columns;
  for (size_t group = 0; group < c->groups; group++) {
    if (group > 0) ck_advance_pointers(run, taps * CK_PANEL_PIXELS, c->group_inputs);
    for (size_t first = 0; first < c->group_outputs; first += CK_PANEL_CHANNELS) {
      size_t channels = c->group_outputs - first;
      size_t width = channels > CK_LANES ? CK_PANEL_CHANNELS : CK_LANES;
      // A lone group also writes the lanes that round its channels up to the pixel stride: they come out as 0.
      if (channels > width || (c->groups == 1 && c->group_outputs >= CK_LANES)) channels = width;
      float *output = run->output + group * c->group_outputs + first;
      for (size_t block = 0; block < run->blocks; block++) {
        const float *const *pointers = run->pointers + block * taps * CK_PANEL_PIXELS;
        size_t merged = run->merged[block], pixels = run->pixels - block * CK_PANEL_PIXELS;
        for (size_t step = 0; step < CK_PANEL_PIXELS && step < pixels; step += CK_PANEL_STEP) {
          (width == CK_PANEL_CHANNELS ? NAME(panel16) : NAME(panel8))(
              merged ? c->tap_rows : taps, merged ? c->tap_columns * c->group_inputs : c->group_inputs,
              pointers + step, weights, bias,
              output + (block * CK_PANEL_PIXELS + step) * c->output_pixel_stride, c->output_pixel_stride,
              pixels - step, channels);
        }
      }
      weights += taps * c->group_inputs * width;
      bias += width;
    }
  }
}

// Up to CK_FEW_STEP pixels × `outputs` channels; vectors run along the input channels, a multiple of 8 of them.
static inline __attribute__((always_inline)) void NAME(few)(
    size_t outputs, size_t taps, size_t inputs, const float *const *pointers, const float *weights,
    const float *bias, float *output, size_t output_stride, size_t pixels) {
  vec sums[CK_FEW_STEP][3];
  for (size_t p = 0; p < CK_FEW_STEP; p++) {
    for (size_t o = 0; o < outputs; o++) sums[p][o] = (vec){};
  }
  for (size_t tap = 0; tap < taps; tap++, pointers += CK_FEW_PIXELS) {
    const float *pixel[CK_FEW_STEP];
    for (size_t p = 0; p < CK_FEW_STEP; p++) pixel[p] = pointers[p];
    for (size_t i = 0; i < inputs; i += CK_LANES, weights += outputs * CK_LANES) {
      vec w[3];
      for (size_t o = 0; o < outputs; o++) w[o] = CK_LOAD(weights + o * CK_LANES);
      for (size_t p = 0; p < CK_FEW_STEP; p++) {
        vec x = CK_LOAD(pixel[p] + i);
        for (size_t o = 0; o < outputs; o++) sums[p][o] = FUSED_MULTIPLY_ADD(x, w[o], sums[p][o]);
      }
    }
  }
  vec copy[CK_FEW_STEP][3];
  memcpy(copy, sums, sizeof copy);
  for (size_t p = 0; p < CK_FEW_STEP && p < pixels; p++) {
    for (size_t o = 0; o < outputs; o++) {
      vec s = copy[p][o];
      float sum = ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
      output[p * output_stride + o] = sum + bias[o];
    }
  }
}

static void NAME(few1)(
    size_t taps, size_t inputs, const float *const *pointers, const float *weights, const float *bias,
    float *output, size_t output_stride, size_t pixels) {
  NAME(few)(1, taps, inputs, pointers, weights, bias, output, output_stride, pixels);
}

static void NAME(few2)(
    size_t taps, size_t inputs, const float *const *pointers, const float *weights, const float *bias,
    float *output, size_t output_stride, size_t pixels) {
  NAME(few)(2, taps, inputs, pointers, weights, bias, output, output_stride, pixels);
}

static void NAME(few3)(
    size_t taps, size_t inputs, const float *const *pointers, const float *weights, const float *bias,
    float *output, size_t output_stride, size_t pixels) {
  NAME(few)(3, taps, inputs, pointers, weights, bias, output, output_stride, pixels);
}

static void NAME(convolve_few)(const ck_convolution *c, ck_pixel_run *run) {
  size_t taps = c->tap_rows * c->tap_columns;
  for (size_t block = 0; block < run->blocks; block++) {
    const float *const *pointers = run->pointers + block * taps * CK_FEW_PIXELS;
    size_t merged = run->merged[block], pixels = run->pixels - block * CK_FEW_PIXELS;
    for (size_t step = 0; step < CK_FEW_PIXELS && step < pixels; step += CK_FEW_STEP) {
      (c->group_outputs == 1 ? NAME(few1) : c->group_outputs == 2 ? NAME(few2) : NAME(few3))(
          merged ? c->tap_rows : taps, merged ? c->tap_columns * c->input_pixel_stride : c->input_pixel_stride,
          pointers + step, c->weights, c->bias,
          run->output + (block * CK_FEW_PIXELS + step) * c->output_pixel_stride, c->output_pixel_stride,
          pixels - step);
    }
  }
}

// Four pixels × 8 channels at a time.
static void NAME(convolve_depthwise)(const ck_convolution *c, ck_pixel_run *run) {
  size_t taps = c->tap_rows * c->tap_columns, stride = c->input_pixel_stride;
  for (size_t block = 0; block < run->blocks; block++) {
    const float *const *pointers = run->pointers + block * taps * CK_FEW_PIXELS;
    size_t pixels = run->pixels - block * CK_FEW_PIXELS;
    float *output = run->output + block * CK_FEW_PIXELS * c->output_pixel_stride;
    for (size_t i = 0; i < stride; i += CK_LANES) {
      vec bias = CK_LOAD(c->bias + i), sums[CK_FEW_PIXELS] = {bias, bias, bias, bias};
      const float *weights = c->weights + i;
      for (size_t tap = 0; tap < taps; tap++, weights += stride) {
        vec w = CK_LOAD(weights);
        for (size_t p = 0; p < CK_FEW_PIXELS; p++) {
          sums[p] = FUSED_MULTIPLY_ADD(CK_LOAD(pointers[tap * CK_FEW_PIXELS + p] + i), w, sums[p]);
        }
      }
      for (size_t p = 0; p < CK_FEW_PIXELS; p++) {
        if (p < pixels) CK_STORE(output + p * c->output_pixel_stride + i, sums[p]);
      }
    }
  }
}
