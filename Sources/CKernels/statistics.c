#include "statistics.h"

#include "kernels.h"

void ck_start_moments(const float *pixel, size_t channels, ck_moments *moments) {
  for (size_t c = 0; c < channels; c++) moments[c] = (ck_moments){.shift = (double)pixel[c]};
}

void ck_add_moments(
    ck_instructions instructions, const float *input, size_t pixels, size_t pixel_stride, size_t channels,
    ck_moments *moments) {
  ck_kernels_of(instructions)->add_moments(input, pixels, pixel_stride, channels, moments);
}

void ck_finish_moments(const ck_moments *moments, size_t pixels, size_t channels, ck_spread *spread) {
  for (size_t c = 0; c < channels; c++) {
    const ck_moments *m = &moments[c];
    double distances = m->squares - m->sum * m->sum / (double)pixels;
    spread[c] = (ck_spread){
        .mean = m->shift + m->sum / (double)pixels,
        .distances = distances < 0 ? 0 : distances,  // not-a-number stays what it is
    };
  }
}

void ck_merge_spread(
    ck_spread *spread, size_t pixels, const ck_spread *added, size_t added_pixels, size_t channels) {
  double share = (double)added_pixels / (double)(pixels + added_pixels);
  for (size_t c = 0; c < channels; c++) {
    double step = added[c].mean - spread[c].mean;
    spread[c].mean += step * share;
    spread[c].distances += added[c].distances + step * step * share * (double)pixels;
  }
}
