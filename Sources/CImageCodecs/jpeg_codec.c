#include <setjmp.h>
#include <stdio.h>
// jpeglib.h wants stdio.h before it
#include <jerror.h>
#include <jpeglib.h>

#include "buffer.h"

// A scan costs a pass over the whole picture but only a few bytes of file; real progressive files have about ten.
enum { MOST_SCANS = 100 };

// Everything that must survive longjmp lives here, not in registers.
typedef struct {
  struct jpeg_error_mgr errors;
  struct jpeg_progress_mgr progress;
  struct jpeg_destination_mgr target;
  jmp_buf escape;
  ci_message *message;
  ci_buffer *out;
  uint8_t chunk[4096];
  struct jpeg_decompress_struct reader;
  struct jpeg_compress_struct writer;
} jpeg_job;

static void on_error(j_common_ptr common) {
  jpeg_job *job = common->client_data;
  char text[JMSG_LENGTH_MAX];
  common->err->format_message(common, text);
  ci_set_text(job->message->reason, text);
  longjmp(job->escape, 1);
}

// libjpeg paints over damage with grey and calls it a warning. Only what leaves every pixel alone may pass.
static void on_message(j_common_ptr common, int level) {
  if (level >= 0) return;
  jpeg_job *job = common->client_data;
  switch (common->err->msg_code) {
    case JWRN_JFIF_MAJOR:
    case JWRN_ADOBE_XFORM:
    case JWRN_EXTRANEOUS_DATA: {
      char text[JMSG_LENGTH_MAX];
      common->err->format_message(common, text);
      ci_set_text(job->message->warning, text);
      return;
    }
    default: on_error(common);
  }
}

static void on_progress(j_common_ptr common) {
  jpeg_job *job = common->client_data;
  if (!common->is_decompressor || job->reader.input_scan_number <= MOST_SCANS) return;
  ci_set_text(job->message->reason, "more than 100 scans");
  longjmp(job->escape, 1);
}

static void prepare(jpeg_job *job) {
  jpeg_std_error(&job->errors);
  job->errors.error_exit = on_error;
  job->errors.emit_message = on_message;
  job->progress.progress_monitor = on_progress;
}

static ci_status failure(const jpeg_job *job) {
  int code = job->errors.msg_code;
  return code == JWRN_JPEG_EOF || code == JERR_INPUT_EOF ? CI_CUT_OFF : CI_REFUSED;
}

// `job->escape` must be set: this may jump.
static void read_header(jpeg_job *job, const uint8_t *bytes, size_t count, ci_layout *layout) {
  struct jpeg_decompress_struct *reader = &job->reader;
  jpeg_create_decompress(reader);
  reader->progress = &job->progress;
  jpeg_mem_src(reader, bytes, count);
  jpeg_read_header(reader, TRUE);
  switch (reader->jpeg_color_space) {
    case JCS_GRAYSCALE:
    case JCS_YCbCr:
    case JCS_RGB: reader->out_color_space = JCS_RGB; break;
    case JCS_CMYK:
    case JCS_YCCK: reader->out_color_space = JCS_CMYK; break;
    default:
      snprintf(job->message->reason, CI_TEXT_SIZE, "%d components of unknown meaning", reader->num_components);
      longjmp(job->escape, 1);
  }
  if (reader->arith_code) {
    // Nothing bounds how many pixels such a file can claim for each of its bytes.
    ci_set_text(job->message->reason, "arithmetic coding");
    longjmp(job->escape, 1);
  }
  // What makes the pixels those of every other program: exact integer DCT, smooth chroma.
  reader->dct_method = JDCT_ISLOW;
  reader->do_fancy_upsampling = TRUE;
  *layout = (ci_layout){
      .width = reader->image_width,
      .height = reader->image_height,
      .channels = reader->out_color_space == JCS_CMYK ? 4 : 3,
      .bytes_per_sample = 1,
      .is_grey = reader->jpeg_color_space == JCS_GRAYSCALE,
      .is_inverted = reader->out_color_space == JCS_CMYK && reader->saw_Adobe_marker,
  };
  uint64_t across = 8 * (uint64_t)reader->max_h_samp_factor, down = 8 * (uint64_t)reader->max_v_samp_factor;
  layout->source_units = (layout->width + across - 1) / across * ((layout->height + down - 1) / down);
}

ci_status ci_jpeg_read_layout(const uint8_t *bytes, size_t count, ci_layout *layout, ci_message *message) {
  *message = (ci_message){0};
  *layout = (ci_layout){0};
  jpeg_job job = {.message = message};
  prepare(&job);
  job.reader.err = &job.errors;
  job.reader.client_data = &job;
  if (setjmp(job.escape)) {
    jpeg_destroy_decompress(&job.reader);
    return failure(&job);
  }
  read_header(&job, bytes, count, layout);
  jpeg_destroy_decompress(&job.reader);
  return CI_DONE;
}

ci_status ci_jpeg_decode(const uint8_t *bytes, size_t count, uint8_t *samples, size_t samples_size,
                         ci_message *message) {
  *message = (ci_message){0};
  ci_layout layout = {0};
  jpeg_job job = {.message = message};
  prepare(&job);
  job.reader.err = &job.errors;
  job.reader.client_data = &job;
  if (setjmp(job.escape)) {
    jpeg_destroy_decompress(&job.reader);
    return failure(&job);
  }
  read_header(&job, bytes, count, &layout);
  size_t row = (size_t)layout.width * layout.channels;
  if (samples_size / row != layout.height || samples_size % row != 0) {
    ci_set_text(message->reason, "the samples do not fit their layout");
    longjmp(job.escape, 1);
  }
  jpeg_start_decompress(&job.reader);
  while (job.reader.output_scanline < job.reader.output_height) {
    JSAMPROW target = samples + job.reader.output_scanline * row;
    jpeg_read_scanlines(&job.reader, &target, 1);
  }
  jpeg_finish_decompress(&job.reader);
  jpeg_destroy_decompress(&job.reader);
  return CI_DONE;
}

static void start_output(j_compress_ptr writer) {
  jpeg_job *job = writer->client_data;
  job->target.next_output_byte = job->chunk;
  job->target.free_in_buffer = sizeof job->chunk;
}

static void flush(j_compress_ptr writer, size_t count) {
  jpeg_job *job = writer->client_data;
  if (!ci_buffer_append(job->out, job->chunk, count)) ERREXIT1(writer, JERR_OUT_OF_MEMORY, 0);
  start_output(writer);
}

// libjpeg wants the whole chunk taken, whatever `free_in_buffer` says.
static boolean empty_output(j_compress_ptr writer) {
  jpeg_job *job = writer->client_data;
  flush(writer, sizeof job->chunk);
  return TRUE;
}

static void finish_output(j_compress_ptr writer) {
  jpeg_job *job = writer->client_data;
  flush(writer, sizeof job->chunk - job->target.free_in_buffer);
}

ci_status ci_jpeg_encode(const uint8_t *rgb, uint32_t width, uint32_t height, int quality, ci_buffer *out,
                         ci_message *message) {
  *message = (ci_message){0};
  jpeg_job job = {.message = message, .out = out};
  prepare(&job);
  struct jpeg_compress_struct *writer = &job.writer;
  writer->err = &job.errors;
  writer->client_data = &job;
  if (setjmp(job.escape)) {
    jpeg_destroy_compress(&job.writer);
    return CI_REFUSED;
  }
  jpeg_create_compress(writer);
  job.target.init_destination = start_output;
  job.target.empty_output_buffer = empty_output;
  job.target.term_destination = finish_output;
  writer->dest = &job.target;
  writer->image_width = width;
  writer->image_height = height;
  writer->input_components = 3;
  writer->in_color_space = JCS_RGB;
  jpeg_set_defaults(writer);
  jpeg_set_quality(writer, quality, TRUE);
  writer->dct_method = JDCT_ISLOW;
  writer->optimize_coding = TRUE;
  for (int component = 0; component < writer->num_components; component++) {  // 4:4:4: colour at full size
    writer->comp_info[component].h_samp_factor = 1;
    writer->comp_info[component].v_samp_factor = 1;
  }
  jpeg_start_compress(writer, TRUE);
  while (writer->next_scanline < height) {
    JSAMPROW source = (JSAMPROW)(rgb + (size_t)writer->next_scanline * width * 3);
    jpeg_write_scanlines(writer, &source, 1);
  }
  jpeg_finish_compress(writer);
  jpeg_destroy_compress(writer);
  return CI_DONE;
}
