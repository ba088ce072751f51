#include <png.h>
#include <string.h>

#include "buffer.h"

// Everything that must survive longjmp lives here, not in registers.
typedef struct {
  const uint8_t *bytes;
  size_t count, position;
  ci_buffer *out;
  ci_message *message;
  int ended;
  png_structp png;
  png_infop info;
} png_job;

static void on_error(png_structp png, png_const_charp text) {
  png_job *job = png_get_error_ptr(png);
  ci_set_text(job->message->reason, text);
  png_longjmp(png, 1);
}

// Warnings are about profiles, text and the like, none of which touch a pixel.
static void on_warning(png_structp png, png_const_charp text) {
  (void)png;
  (void)text;
}

static void read_bytes(png_structp png, png_bytep target, size_t count) {
  png_job *job = png_get_io_ptr(png);
  if (count > job->count - job->position) {
    job->ended = 1;
    png_error(png, "the file ends too early");
  }
  memcpy(target, job->bytes + job->position, count);
  job->position += count;
}

static void write_bytes(png_structp png, png_bytep bytes, size_t count) {
  png_job *job = png_get_io_ptr(png);
  if (!ci_buffer_append(job->out, bytes, count)) png_error(png, "out of memory");
}

static void flush_nothing(png_structp png) { (void)png; }

static int open_reader(png_job *job) {
  job->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, job, on_error, on_warning);
  if (job->png) job->info = png_create_info_struct(job->png);
  if (job->info) return 1;
  png_destroy_read_struct(&job->png, &job->info, NULL);
  ci_set_text(job->message->reason, "out of memory");
  return 0;
}

// Reads up to the first row and asks for RGB or RGBA. Gamma is left alone: no gAMA, no profile is applied.
static void read_header(png_job *job, ci_layout *layout) {
  png_structp png = job->png;
  png_infop info = job->info;
  png_set_read_fn(png, job, read_bytes);
  png_set_user_limits(png, 1000000, 1000000);
  png_set_chunk_malloc_max(png, 1000000);
  // A negative count means: every ancillary chunk that libpng knows, save tRNS.
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  png_read_info(png, info);
  int color = png_get_color_type(png, info), depth = png_get_bit_depth(png, info);
  layout->width = png_get_image_width(png, info);
  layout->height = png_get_image_height(png, info);
  layout->is_grey = !(color & PNG_COLOR_MASK_COLOR);
  layout->source_pixel_bits = (uint32_t)depth * png_get_channels(png, info);
  png_set_expand(png);
  png_set_gray_to_rgb(png);
  const uint16_t probe = 1;
  if (depth == 16 && *(const uint8_t *)&probe == 1) png_set_swap(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  layout->channels = png_get_channels(png, info);
  layout->bytes_per_sample = png_get_bit_depth(png, info) / 8;
}

ci_status ci_png_read_layout(const uint8_t *bytes, size_t count, ci_layout *layout, ci_message *message) {
  *message = (ci_message){0};
  *layout = (ci_layout){0};
  png_job job = {.bytes = bytes, .count = count, .message = message};
  if (!open_reader(&job)) return CI_REFUSED;
  if (setjmp(png_jmpbuf(job.png))) {
    png_destroy_read_struct(&job.png, &job.info, NULL);
    return job.ended ? CI_CUT_OFF : CI_REFUSED;
  }
  read_header(&job, layout);
  png_destroy_read_struct(&job.png, &job.info, NULL);
  return CI_DONE;
}

ci_status ci_png_decode(const uint8_t *bytes, size_t count, uint8_t *samples, size_t samples_size,
                        ci_message *message) {
  *message = (ci_message){0};
  ci_layout layout = {0};
  png_job job = {.bytes = bytes, .count = count, .message = message};
  if (!open_reader(&job)) return CI_REFUSED;
  if (setjmp(png_jmpbuf(job.png))) {
    png_destroy_read_struct(&job.png, &job.info, NULL);
    return job.ended ? CI_CUT_OFF : CI_REFUSED;
  }
  read_header(&job, &layout);
  size_t row = png_get_rowbytes(job.png, job.info);
  if (row != (size_t)layout.width * layout.channels * layout.bytes_per_sample || samples_size / row != layout.height ||
      samples_size % row != 0) {
    png_error(job.png, "the samples do not fit their layout");
  }
  int passes = png_get_interlace_type(job.png, job.info) == PNG_INTERLACE_ADAM7 ? PNG_INTERLACE_ADAM7_PASSES : 1;
  for (int pass = 0; pass < passes; pass++) {
    for (size_t y = 0; y < layout.height; y++) png_read_row(job.png, samples + y * row, NULL);
  }
  png_read_end(job.png, NULL);  // only here is the last checksum looked at
  png_destroy_read_struct(&job.png, &job.info, NULL);
  return CI_DONE;
}

ci_status ci_png_encode(const uint8_t *rgb, uint32_t width, uint32_t height, int compression_level, ci_buffer *out,
                        ci_message *message) {
  *message = (ci_message){0};
  png_job job = {.out = out, .message = message};
  job.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &job, on_error, on_warning);
  if (job.png) job.info = png_create_info_struct(job.png);
  if (!job.info) {
    png_destroy_write_struct(&job.png, &job.info);
    ci_set_text(message->reason, "out of memory");
    return CI_REFUSED;
  }
  if (setjmp(png_jmpbuf(job.png))) {
    png_destroy_write_struct(&job.png, &job.info);
    return CI_REFUSED;
  }
  png_set_write_fn(job.png, &job, write_bytes, flush_nothing);
  png_set_compression_level(job.png, compression_level);
  png_set_IHDR(job.png, job.info, width, height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(job.png, job.info);
  for (size_t y = 0; y < height; y++) png_write_row(job.png, rgb + y * width * 3);
  png_write_end(job.png, NULL);
  png_destroy_write_struct(&job.png, &job.info);
  return CI_DONE;
}
