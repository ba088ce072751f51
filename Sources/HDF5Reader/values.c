#include "values.h"

#include <stdlib.h>
#include <string.h>

#include "limits.h"
#include "stream.h"

enum element_type { none, float16, float32, float64, int8, int16, int32, int64, uint8, boolean };

static herr_t keep_first(unsigned number, const H5E_error2_t *error, void *text) {
  if (number == 0 && error->desc) strncpy(text, error->desc, 255);
  return 0;
}

_Noreturn void fail_with_library_error(const char *what, const char *path) {
  char text[256] = "no reason given";
  // Upwards starts with where it went wrong, not with who was told.
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, text);
  stream_fail("%s '%s': %s", what, path, text);
}

static void pass_over(const char *path, const char *reason) {
  put_byte('S');
  put_string(path);
  put_string(reason);
}

// Whether the numbers are laid out as IEEE 754 says for their size, in either byte order.
static enum element_type float_type(hid_t type) {
  size_t sign, exponent, exponent_size, mantissa, mantissa_size;
  if (H5Tget_fields(type, &sign, &exponent, &exponent_size, &mantissa, &mantissa_size) < 0) return none;
  size_t size = H5Tget_size(type), bits = 8 * size;
  H5T_order_t order = H5Tget_order(type);
  if ((order != H5T_ORDER_LE && order != H5T_ORDER_BE) || H5Tget_precision(type) != bits || H5Tget_offset(type) != 0)
    return none;
  if (H5Tget_norm(type) != H5T_NORM_IMPLIED || mantissa != 0 || mantissa_size != exponent || sign != bits - 1 ||
      exponent + exponent_size != sign || H5Tget_ebias(type) != ((size_t)1 << (exponent_size - 1)) - 1)
    return none;
  if (size == 2 && exponent_size == 5) return float16;
  if (size == 4 && exponent_size == 8) return float32;
  return size == 8 && exponent_size == 11 ? float64 : none;
}

static enum element_type integer_type(hid_t type) {
  size_t size = H5Tget_size(type);
  if (H5Tget_precision(type) != 8 * size || H5Tget_offset(type) != 0) return none;
  if (H5Tget_sign(type) == H5T_SGN_NONE) return size == 1 ? uint8 : none;
  switch (size) {
    case 1: return int8;
    case 2: return int16;
    case 4: return int32;
    case 8: return int64;
    default: return none;
  }
}

// h5py writes NumPy's booleans as an enumeration of bytes with FALSE and TRUE.
static enum element_type enumeration_type(hid_t type) {
  signed char off = -1, on = -1;
  if (H5Tget_size(type) != 1 || H5Tget_nmembers(type) != 2) return none;
  if (H5Tenum_valueof(type, "FALSE", &off) < 0 || H5Tenum_valueof(type, "TRUE", &on) < 0) return none;
  return off == 0 && on == 1 ? boolean : none;
}

static enum element_type element_type(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_FLOAT: return float_type(type);
    case H5T_INTEGER: return integer_type(type);
    case H5T_ENUM: return enumeration_type(type);
    default: return none;
  }
}

// The same type, little-endian. Enumerations of bytes have no order to change.
static hid_t little_endian(hid_t type) {
  hid_t copy = H5Tcopy(type);
  if (copy >= 0 && H5Tget_class(type) != H5T_ENUM && H5Tset_order(copy, H5T_ORDER_LE) < 0) return -1;
  return copy;
}

// Refuses datasets whose numbers come from elsewhere: other files, or code that would have to be loaded.
static void check_storage(hid_t dataset, const char *path) {
  hid_t list = H5Dget_create_plist(dataset);
  if (list < 0) fail_with_library_error("cannot read the settings of", path);
  if (H5Pget_layout(list) == H5D_VIRTUAL) stream_refuse("'%s' is a view of datasets in other files", path);
  if (H5Pget_layout(list) == H5D_CONTIGUOUS && H5Pget_external_count(list) != 0)
    stream_refuse("'%s' keeps its numbers in other files", path);
  int count = H5Pget_nfilters(list);
  if (count < 0) fail_with_library_error("cannot read the filters of", path);
  for (int index = 0; index < count; index++) {
    unsigned flags = 0, settings = 0;
    size_t values = 0;
    char name[64] = "";
    H5Z_filter_t filter = H5Pget_filter2(list, (unsigned)index, &flags, &values, NULL, sizeof name, name, &settings);
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32)
      stream_refuse("'%s' goes through the filter %d (%.60s); only gzip, shuffle and fletcher32 are read", path, (int)filter,
                  name);
  }
  H5Pclose(list);
}

void put_dataset(hid_t dataset, const char *path) {
  check_storage(dataset, path);
  hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  if (type < 0 || space < 0) fail_with_library_error("cannot read the type of", path);
  enum element_type element = element_type(type);
  if (element == none) {
    pass_over(path, H5Tget_class(type) == H5T_STRING ? "it holds text" : "its numbers are of a kind that is not read");
  } else if (H5Sget_simple_extent_type(space) == H5S_NULL) {
    pass_over(path, "it is empty");
  } else {
    hsize_t extents[H5S_MAX_RANK];
    int rank = H5Sget_simple_extent_dims(space, extents, NULL);
    if (rank < 0) fail_with_library_error("cannot read the shape of", path);
    if (rank > greatest_rank) stream_refuse("'%s' has %d axes; up to %d are read", path, rank, greatest_rank);
    uint64_t size = H5Tget_size(type);
    for (int axis = 0; axis < rank; axis++)
      if (__builtin_mul_overflow(size, (uint64_t)extents[axis], &size)) stream_fail("'%s' is too large", path);
    stream_reserve(size, path);
    void *bytes = calloc(size ? size : 1, 1);
    if (!bytes) stream_fail("'%s' of %llu bytes does not fit into memory", path, (unsigned long long)size);
    hid_t wanted = little_endian(type);
    if (wanted < 0 || (size && H5Dread(dataset, wanted, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) < 0))
      fail_with_library_error("cannot read the numbers of", path);
    put_byte('D');
    put_string(path);
    put_byte(element);
    put_byte((uint8_t)rank);
    for (int axis = 0; axis < rank; axis++) put_u64(extents[axis]);
    put_u64(size);
    put_bytes(bytes, size);
    free(bytes);
    H5Tclose(wanted);
  }
  H5Sclose(space);
  H5Tclose(type);
}

static void put_unknown(const char *reason) {
  put_byte('?');
  put_string(reason);
}

static void put_strings(hid_t attribute, hid_t type, hid_t space, uint64_t count, const char *path) {
  if (H5Tis_variable_str(type) > 0) {
    stream_reserve(count * sizeof(char *), path);
    char **texts = calloc(count ? count : 1, sizeof(char *));
    hid_t wanted = H5Tcopy(H5T_C_S1);
    if (!texts || wanted < 0 || H5Tset_size(wanted, H5T_VARIABLE) < 0 || H5Tset_cset(wanted, H5Tget_cset(type)) < 0)
      stream_fail("the strings of '%s' do not fit into memory", path);
    if (count && H5Aread(attribute, wanted, texts) < 0) fail_with_library_error("cannot read an attribute of", path);
    put_byte('s');
    put_u64(count);
    for (uint64_t index = 0; index < count; index++) {
      const char *text = texts[index] ? texts[index] : "";
      stream_reserve(strlen(text), path);
      put_string(text);
    }
    if (count) H5Dvlen_reclaim(wanted, space, H5P_DEFAULT, texts);
    H5Tclose(wanted);
    free(texts);
    return;
  }
  uint64_t width = H5Tget_size(type), size;
  if (__builtin_mul_overflow(width, count, &size)) stream_fail("the strings of '%s' are too long", path);
  stream_reserve(size, path);
  char *bytes = calloc(size + 1, 1);
  if (!bytes) stream_fail("the strings of '%s' do not fit into memory", path);
  if (size && H5Aread(attribute, type, bytes) < 0) fail_with_library_error("cannot read an attribute of", path);
  put_byte('s');
  put_u64(count);
  // Padded with zeros or, by Fortran, with spaces.
  for (uint64_t index = 0; index < count; index++) {
    const char *text = bytes + index * width;
    size_t length = strnlen(text, width);
    if (H5Tget_strpad(type) == H5T_STR_SPACEPAD)
      while (length > 0 && text[length - 1] == ' ') length--;
    put_text(text, length);
  }
  free(bytes);
}

static void put_numbers(hid_t attribute, uint64_t count, hid_t wanted, char tag, const char *path) {
  uint64_t size;
  if (__builtin_mul_overflow(count, (uint64_t)8, &size)) stream_fail("an attribute of '%s' is too large", path);
  stream_reserve(size, path);
  void *bytes = calloc(size ? size : 1, 1);
  if (!bytes) stream_fail("an attribute of '%s' does not fit into memory", path);
  if (count && H5Aread(attribute, wanted, bytes) < 0) fail_with_library_error("cannot read an attribute of", path);
  put_byte((uint8_t)tag);
  put_u64(count);
  put_bytes(bytes, size);
  free(bytes);
}

void put_attribute(hid_t attribute, const char *name, const char *path) {
  hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  if (type < 0 || space < 0) fail_with_library_error("cannot read an attribute of", path);
  put_byte('A');
  put_string(name);
  hssize_t points = H5Sget_simple_extent_type(space) == H5S_NULL ? 0 : H5Sget_simple_extent_npoints(space);
  if (points < 0) fail_with_library_error("cannot read an attribute of", path);
  uint64_t count = (uint64_t)points;
  // Each element costs something in the file, whatever its type.
  if (count > greatest_object_count && H5Tget_class(type) != H5T_STRING) {
    put_unknown("it has too many elements");
  } else {
    switch (H5Tget_class(type)) {
      case H5T_STRING: put_strings(attribute, type, space, count, path); break;
      case H5T_INTEGER: put_numbers(attribute, count, H5T_STD_I64LE, 'i', path); break;
      case H5T_FLOAT: put_numbers(attribute, count, H5T_IEEE_F64LE, 'f', path); break;
      default: put_unknown("it is neither text nor numbers");
    }
  }
  H5Sclose(space);
  H5Tclose(type);
}
