#include "stream.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t content_left;

// Ends at once, whatever the HDF5 library still means to put in order.
static _Noreturn void leave(int status) {
  if (fflush(stdout) != 0) status = 3;
  _exit(status);
}

void put_bytes(const void *bytes, size_t count) {
  if (fwrite(bytes, 1, count, stdout) != count) _exit(3);
}

void put_byte(uint8_t value) { put_bytes(&value, 1); }

void put_u32(uint32_t value) {
  uint8_t bytes[4];
  for (int index = 0; index < 4; index++) bytes[index] = (uint8_t)(value >> (8 * index));
  put_bytes(bytes, sizeof bytes);
}

void put_u64(uint64_t value) {
  put_u32((uint32_t)value);
  put_u32((uint32_t)(value >> 32));
}

void put_text(const char *text, size_t length) {
  if (length > UINT32_MAX) stream_fail("a text of %zu bytes is too long", length);
  put_u32((uint32_t)length);
  put_bytes(text, length);
}

void put_string(const char *text) { put_text(text, strlen(text)); }

void stream_begin(uint64_t content_limit) {
  content_left = content_limit;
  put_bytes("SMH5", 4);
  put_u32(1);
}

void stream_reserve(uint64_t bytes, const char *path) {
  if (bytes > content_left) stream_fail("'%s' and what stands before it hold more than the file can justify", path);
  content_left -= bytes;
}

void stream_end(void) {
  put_byte('Z');
  leave(0);
}

static _Noreturn void end_with(char tag, const char *format, va_list arguments) {
  char reason[1024];
  vsnprintf(reason, sizeof reason, format, arguments);
  put_byte((uint8_t)tag);
  put_string(reason);
  leave(2);
}

_Noreturn void stream_fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  end_with('E', format, arguments);
}

_Noreturn void stream_refuse(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  end_with('R', format, arguments);
}
