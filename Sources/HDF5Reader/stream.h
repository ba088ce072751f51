// What this program writes to standard output: the objects of an HDF5 file, one record after another.
//
// All numbers are little-endian. A TEXT is its length in bytes (u32) and as many bytes, UTF-8 as the file has it.
//
//   stream    = "SMH5" version:u32(=1) record… end
//   record    = 'G' path:TEXT                          a group; the root is "/"
//             | 'D' path:TEXT type:u8 rank:u8 extent:u64 × rank  size:u64 bytes    a dataset
//             | 'A' name:TEXT value                    an attribute of the object that was named last
//             | 'S' path:TEXT reason:TEXT              something that was passed over, and why
//   value     = 's' count:u64 TEXT × count             strings, of fixed or variable length
//             | 'i' count:u64 i64 × count              whole numbers
//             | 'f' count:u64 f64 × count              other numbers
//             | '?' reason:TEXT                        anything else
//   end       = 'Z'                                    the file was read whole
//             | 'E' reason:TEXT                        it cannot be; what stands before it does not count
//             | 'R' reason:TEXT                        it asks for something that is not allowed; likewise
//
// Types are 1 float16, 2 float32, 3 float64, 4 int8, 5 int16, 6 int32, 7 int64, 8 uint8, 9 bool. Bytes are in C order.
// An object comes before its attributes, a group before what is in it, and no object twice.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Sets the number of bytes of content that may be written before the program ends with a reason.
void stream_begin(uint64_t content_limit);

// Counts content that is about to be read into memory, before memory is asked for.
void stream_reserve(uint64_t bytes, const char *path);

void put_byte(uint8_t value);
void put_u32(uint32_t value);
void put_u64(uint64_t value);
void put_bytes(const void *bytes, size_t count);
void put_text(const char *text, size_t length);
void put_string(const char *text);

// Writes the end of a stream that is whole.
void stream_end(void);

// Writes why the file cannot be read, and ends the program.
_Noreturn void stream_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Writes what the file asks for and is not given, and ends the program.
_Noreturn void stream_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
