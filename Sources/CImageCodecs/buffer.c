#include "buffer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ci_buffer_append(ci_buffer *buffer, const uint8_t *bytes, size_t count) {
  if (count == 0) return 1;
  if (count > SIZE_MAX / 2 - buffer->count) return 0;
  size_t wanted = buffer->count + count;
  if (wanted > buffer->capacity) {
    size_t capacity = buffer->capacity < 4096 ? 4096 : buffer->capacity;
    while (capacity < wanted) capacity *= 2;
    uint8_t *grown = realloc(buffer->bytes, capacity);
    if (!grown) return 0;
    buffer->bytes = grown;
    buffer->capacity = capacity;
  }
  memcpy(buffer->bytes + buffer->count, bytes, count);
  buffer->count = wanted;
  return 1;
}

void ci_buffer_free(ci_buffer *buffer) {
  free(buffer->bytes);
  *buffer = (ci_buffer){0};
}

void ci_set_text(char target[CI_TEXT_SIZE], const char *text) {
  snprintf(target, CI_TEXT_SIZE, "%s", text ? text : "");
}
