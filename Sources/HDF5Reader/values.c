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
    uint64_t product = size;
    for (int axis = 0; axis < rank; axis++) {
      // An extent of 0 must not hide that the others are impossible.
      if (__builtin_mul_overflow(product, (uint64_t)(extents[axis] ? extents[axis] : 1), &product) || product >> 62)
        stream_fail("'%s' has extents that are not possible", path);
      size *= extents[axis];
    }
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

// An attribute that has been read: nothing may go wrong between this and the end of its record.
struct attribute {
  hid_t identifier, type, space;
  uint64_t count;
  const char *name, *path;
};

static void begin(const struct attribute *attribute, char tag) {
  put_byte('A');
  put_string(attribute->name);
  put_byte((uint8_t)tag);
}

static void put_unknown(const struct attribute *attribute, const char *reason) {
  begin(attribute, '?');
  put_string(reason);
}

// Memory for what an attribute holds, counted as content.
static void *allocate(const struct attribute *attribute, uint64_t width) {
  uint64_t size;
  if (__builtin_mul_overflow(width, attribute->count, &size)) stream_fail("an attribute of '%s' is too large", attribute->path);
  stream_reserve(size, attribute->path);
  void *memory = calloc(size + 1, 1);
  if (!memory) stream_fail("an attribute of '%s' does not fit into memory", attribute->path);
  return memory;
}

static void read_into(void *memory, const struct attribute *attribute, hid_t type) {
  if (type < 0 || (attribute->count && H5Aread(attribute->identifier, type, memory) < 0))
    fail_with_library_error("cannot read an attribute of", attribute->path);
}

static void put_variable_strings(const struct attribute *attribute) {
  char **texts = allocate(attribute, sizeof(char *));
  hid_t wanted = H5Tcopy(H5T_C_S1);
  if (wanted < 0 || H5Tset_size(wanted, H5T_VARIABLE) < 0 || H5Tset_cset(wanted, H5Tget_cset(attribute->type)) < 0)
    fail_with_library_error("cannot read an attribute of", attribute->path);
  read_into(texts, attribute, wanted);
  for (uint64_t index = 0; index < attribute->count; index++)
    stream_reserve(texts[index] ? strlen(texts[index]) : 0, attribute->path);
  begin(attribute, 's');
  put_u64(attribute->count);
  for (uint64_t index = 0; index < attribute->count; index++) put_string(texts[index] ? texts[index] : "");
  if (attribute->count) H5Dvlen_reclaim(wanted, attribute->space, H5P_DEFAULT, texts);
  H5Tclose(wanted);
  free(texts);
}

static void put_fixed_strings(const struct attribute *attribute) {
  size_t width = H5Tget_size(attribute->type);
  char *bytes = allocate(attribute, width);
  read_into(bytes, attribute, attribute->type);
  begin(attribute, 's');
  put_u64(attribute->count);
  // Padded with zeros or, by Fortran, with spaces.
  for (uint64_t index = 0; index < attribute->count; index++) {
    const char *text = bytes + index * width;
    size_t length = strnlen(text, width);
    if (H5Tget_strpad(attribute->type) == H5T_STR_SPACEPAD)
      while (length > 0 && text[length - 1] == ' ') length--;
    put_text(text, length);
  }
  free(bytes);
}

static void put_numbers(const struct attribute *attribute, hid_t wanted, char tag) {
  void *bytes = allocate(attribute, 8);
  read_into(bytes, attribute, wanted);
  begin(attribute, tag);
  put_u64(attribute->count);
  put_bytes(bytes, 8 * attribute->count);
  free(bytes);
}

void put_attribute(hid_t identifier, const char *name, const char *path) {
  struct attribute attribute = {identifier, H5Aget_type(identifier), H5Aget_space(identifier), 0, name, path};
  if (attribute.type < 0 || attribute.space < 0) fail_with_library_error("cannot read an attribute of", path);
  hssize_t points =
      H5Sget_simple_extent_type(attribute.space) == H5S_NULL ? 0 : H5Sget_simple_extent_npoints(attribute.space);
  if (points < 0) fail_with_library_error("cannot read an attribute of", path);
  attribute.count = (uint64_t)points;
  H5T_class_t class = H5Tget_class(attribute.type);
  if (attribute.count > greatest_element_count) {
    put_unknown(&attribute, "it has too many elements");
  } else if (class == H5T_STRING) {
    H5Tis_variable_str(attribute.type) > 0 ? put_variable_strings(&attribute) : put_fixed_strings(&attribute);
  } else if (class == H5T_INTEGER) {
    put_numbers(&attribute, H5T_STD_I64LE, 'i');
  } else if (class == H5T_FLOAT) {
    put_numbers(&attribute, H5T_IEEE_F64LE, 'f');
  } else {
    put_unknown(&attribute, "it is neither text nor numbers");
  }
  H5Sclose(attribute.space);
  H5Tclose(attribute.type);
}
