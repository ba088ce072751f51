#ifndef CCALIBRATIONPICTURES_H
#define CCALIBRATIONPICTURES_H

#include <stddef.h>
#include <stdint.h>

/// A photograph of the built-in calibration set: the bytes of a JPEG or PNG.
typedef struct {
  const char *name;
  const uint8_t *bytes;
  size_t count;
} cc_picture;

size_t cc_picture_count(void);

/// `index` must be below the count.
const cc_picture *cc_picture_at(size_t index);

#endif
