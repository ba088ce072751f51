// The inner loop of ck_blend_row, compiled once for each instruction set (kernels.h says how).

static void NAME(blend_row)(const ck_row_blend *b, float *output) {
  for (size_t p = 0; p < b->pixels; p++, output += b->pixel_stride) {
    size_t left = (size_t)b->left[p] * b->pixel_stride, right = (size_t)b->right[p] * b->pixel_stride;
    float along = b->along[p];
    for (size_t c = 0; c < b->pixel_stride; c++) {
      float top = b->top[left + c] + (b->top[right + c] - b->top[left + c]) * along;
      float bottom = b->bottom[left + c] + (b->bottom[right + c] - b->bottom[left + c]) * along;
      output[c] = top + (bottom - top) * b->down;
    }
  }
}
