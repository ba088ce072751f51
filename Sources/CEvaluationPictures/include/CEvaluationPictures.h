#ifndef CEVALUATIONPICTURES_H
#define CEVALUATIONPICTURES_H

#include <stddef.h>
#include <stdint.h>

/// A photograph of the built-in evaluation set: the bytes of a PNG.
typedef struct {
  const char *name;
  const uint8_t *bytes;
  size_t count;
} ce_picture;

size_t ce_picture_count(void);

/// `index` must be below the count.
const ce_picture *ce_picture_at(size_t index);

#endif
