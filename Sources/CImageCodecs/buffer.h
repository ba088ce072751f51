#ifndef CI_BUFFER_H
#define CI_BUFFER_H

#include "CImageCodecs.h"

/// Appends; returns 0 and leaves the buffer as it was when memory runs out.
int ci_buffer_append(ci_buffer *buffer, const uint8_t *bytes, size_t count);

/// Copies a text, cut to fit.
void ci_set_text(char target[CI_TEXT_SIZE], const char *text);

#endif
