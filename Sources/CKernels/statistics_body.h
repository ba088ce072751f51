// The inner loop of ck_add_moments, compiled once for each instruction set (kernels.h says how).

static void NAME(add_moments)(
    const float *input, size_t pixels, size_t pixel_stride, size_t channels, ck_moments *moments) {
  size_t c = 0;
  for (; c + 8 <= channels; c += 8) {
    wide shift[2], sum[2] = {}, squares[2] = {};
    for (size_t i = 0; i < 8; i++) shift[i / 4][i % 4] = moments[c + i].shift;
    const float *pixel = input + c;
    for (size_t p = 0; p < pixels; p++, pixel += pixel_stride) {
      for (size_t h = 0; h < 2; h++) {
        wide distance = __builtin_convertvector(*(const unaligned_half_vec *)(pixel + 4 * h), wide) - shift[h];
        sum[h] += distance;
        squares[h] = FUSED_MULTIPLY_ADD(distance, distance, squares[h]);
      }
    }
    for (size_t i = 0; i < 8; i++) {
      moments[c + i].sum += sum[i / 4][i % 4];
      moments[c + i].squares += squares[i / 4][i % 4];
    }
  }
  for (; c < channels; c++) {
    for (size_t p = 0; p < pixels; p++) {
      double distance = (double)input[p * pixel_stride + c] - moments[c].shift;
      moments[c].sum += distance;
      moments[c].squares += distance * distance;
    }
  }
}
