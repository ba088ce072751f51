#ifndef CIMAGECODECS_H
#define CIMAGECODECS_H

// libpng and libjpeg as plain functions that return a status: setjmp and longjmp stay on this side.

#include <stddef.h>
#include <stdint.h>

#define CI_TEXT_SIZE 256

typedef enum {
  CI_DONE = 0,
  CI_CUT_OFF = 1,  // the file ends before the picture does
  CI_REFUSED = 2,  // anything else that the library does not accept
} ci_status;

/// What the codec said, in its own words and ended by a zero.
typedef struct {
  char reason[CI_TEXT_SIZE];   // why it failed; empty after CI_DONE
  char warning[CI_TEXT_SIZE];  // the last harmless oddity; empty when there was none
} ci_message;

/// What a header says of a picture, and how its decoded samples are laid out: rows from the top, pixels from the
/// left, channels interleaved, nothing between rows.
typedef struct {
  uint32_t width, height;      // both at least 1
  uint8_t channels;            // 3: RGB. 4: RGB and straight alpha (PNG), or CMYK (JPEG)
  uint8_t bytes_per_sample;    // 1, or 2 in the host's byte order (PNG)
  uint8_t is_grey;             // the file holds one colour channel, decoded to three equal ones
  uint8_t is_inverted;         // CMYK as Adobe writes it: 255 is no ink
  uint32_t source_pixel_bits;  // PNG: bits of one pixel before compression
  uint64_t source_units;       // JPEG: coded units (MCUs), each of which costs at least one bit
} ci_layout;

/// Bytes that grow; free them with `ci_buffer_free`.
typedef struct {
  uint8_t *bytes;
  size_t count, capacity;
} ci_buffer;

ci_status ci_png_read_layout(const uint8_t *bytes, size_t count, ci_layout *layout, ci_message *message);
ci_status ci_jpeg_read_layout(const uint8_t *bytes, size_t count, ci_layout *layout, ci_message *message);

/// Decodes into `samples`, which must hold exactly what the layout of the same bytes asks for.
ci_status ci_png_decode(const uint8_t *bytes, size_t count, uint8_t *samples, size_t samples_size,
                        ci_message *message);
ci_status ci_jpeg_decode(const uint8_t *bytes, size_t count, uint8_t *samples, size_t samples_size,
                         ci_message *message);

/// Encodes `width * height * 3` bytes of RGB. `out` must be empty, and must be freed whatever the status.
ci_status ci_png_encode(const uint8_t *rgb, uint32_t width, uint32_t height, int compression_level, ci_buffer *out,
                        ci_message *message);
ci_status ci_jpeg_encode(const uint8_t *rgb, uint32_t width, uint32_t height, int quality, ci_buffer *out,
                         ci_message *message);

void ci_buffer_free(ci_buffer *buffer);

#endif
