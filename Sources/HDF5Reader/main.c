// Reads an HDF5 file and writes its objects to standard output, as stream.h says.
//
//     stylemodel-hdf5-reader FILE MEMORY-BYTES CPU-SECONDS CONTENT-BYTES      (FILE "-" is standard input)
//
// The HDF5 library trusts its files. It is kept in this process, which can lose nothing: it has the file's bytes before
// the library sees them and can open nothing then, writes one pipe, and may use so much memory and time. Whoever starts
// it must be ready for its crash.
//
// Nothing is followed out of the file: links to other files, virtual datasets, external storage and filters that would
// have to be loaded end the reading. Soft links are passed over, and no object is written twice.

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "limits.h"
#include "stream.h"
#include "values.h"

struct walk {
  char path[greatest_name_length];  // of the group that is being listed, without a slash at its end
  int depth;
};

static haddr_t *seen;  // addresses of objects, in the order in which they were met
static size_t seen_count;
static size_t attribute_count;

// Whether the object is met for the first time: hard links may go round in circles.
static int is_new(haddr_t address) {
  for (size_t index = 0; index < seen_count; index++)
    if (seen[index] == address) return 0;
  if (seen_count == greatest_object_count) stream_refuse("it holds more than %d objects", greatest_object_count);
  seen[seen_count++] = address;
  return 1;
}

static herr_t visit_attribute(hid_t object, const char *name, const H5A_info_t *info, void *path) {
  (void)info;
  if (++attribute_count > greatest_attribute_count || strlen(name) > greatest_name_length)
    stream_fail("'%s' has too many attributes, or too long a name for one", (const char *)path);
  hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  if (attribute < 0) fail_with_library_error("cannot open an attribute of", path);
  put_attribute(attribute, name, path);
  return H5Aclose(attribute);
}

static void put_attributes(hid_t object, const char *path) {
  hsize_t position = 0;
  if (H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, &position, visit_attribute, (void *)path) < 0)
    fail_with_library_error("cannot list the attributes of", path);
}

static void list(hid_t group, struct walk *walk);

static void put_object(hid_t object, struct walk *walk) {
  const char *path = walk->path[0] ? walk->path : "/";
  switch (H5Iget_type(object)) {
    case H5I_GROUP:
      put_byte('G');
      put_string(path);
      put_attributes(object, path);
      list(object, walk);
      break;
    case H5I_DATASET:
      put_dataset(object, path);
      put_attributes(object, path);
      break;
    default:
      put_byte('S');
      put_string(path);
      put_string("it is neither a group nor a dataset");
  }
}

static herr_t visit_link(hid_t group, const char *name, const H5L_info_t *info, void *context) {
  struct walk *walk = context;
  size_t length = strlen(walk->path);
  if (length + strlen(name) + 2 > sizeof walk->path) stream_fail("'%s' holds too long a name", walk->path);
  walk->path[length] = '/';
  strcpy(walk->path + length + 1, name);
  if (info->type == H5L_TYPE_EXTERNAL) stream_refuse("'%s' is a link to another file", walk->path);
  if (info->type != H5L_TYPE_HARD && info->type != H5L_TYPE_SOFT)
    stream_refuse("'%s' is a link of a kind that is not known", walk->path);
  const char *passed_over = info->type == H5L_TYPE_SOFT ? "it is a soft link" : NULL;
  if (!passed_over && !is_new(info->u.address)) passed_over = "it is a second link to the same object";
  if (passed_over) {
    put_byte('S');
    put_string(walk->path);
    put_string(passed_over);
  } else {
    hid_t object = H5Oopen(group, name, H5P_DEFAULT);
    if (object < 0) fail_with_library_error("cannot open", walk->path);
    put_object(object, walk);
    H5Oclose(object);
  }
  walk->path[length] = 0;
  return 0;
}

static void list(hid_t group, struct walk *walk) {
  if (++walk->depth > greatest_depth) stream_refuse("groups are nested deeper than %d", greatest_depth);
  hid_t settings = H5Gget_create_plist(group);
  unsigned order = 0;
  if (settings < 0 || H5Pget_link_creation_order(settings, &order) < 0)
    fail_with_library_error("cannot read the settings of", walk->path);
  H5Pclose(settings);
  // The order in which the author wrote them, where the file kept it.
  H5_index_t index = order & H5P_CRT_ORDER_INDEXED ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
  hsize_t position = 0;
  if (H5Literate(group, index, H5_ITER_INC, &position, visit_link, walk) < 0)
    fail_with_library_error("cannot list the group", walk->path[0] ? walk->path : "/");
  walk->depth--;
}

// Reads the whole file into memory that stays.
static void *contents(const char *path, size_t *size) {
  int file = strcmp(path, "-") == 0 ? 0 : open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0) stream_fail("cannot open the file: %s", strerror(errno));
  *size = (size_t)status.st_size;
  char *bytes = malloc(*size ? *size : 1);
  if (!bytes) stream_fail("the file does not fit into memory");
  for (size_t done = 0; done < *size;) {
    ssize_t got = pread(file, bytes + done, *size - done, (off_t)done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) stream_fail("cannot read the file: %s", got < 0 ? strerror(errno) : "it became shorter");
    done += (size_t)got;
  }
  return bytes;
}

static uint64_t number(const char *text) {
  char *end;
  uint64_t value = strtoull(text, &end, 10);
  if (!*text || *end) exit(64);
  return value;
}

int main(int count, char **arguments) {
  if (count != 5) {
    fprintf(stderr, "Usage: stylemodel-hdf5-reader FILE MEMORY-BYTES CPU-SECONDS CONTENT-BYTES\n");
    return 64;
  }
  struct limits limits = {number(arguments[2]), number(arguments[3]), number(arguments[4])};
  if (shut_in(&limits) != 0) return 71;
  stream_begin(limits.content_bytes);

  size_t size;
  void *bytes = contents(arguments[1], &size);
  if (forbid_files() != 0) return 71;
  // Before the library starts: no plugins.
  setenv("HDF5_PLUGIN_PRELOAD", "::", 1);
  seen = malloc(greatest_object_count * sizeof *seen);
  if (!seen || H5open() < 0 || H5Eset_auto2(H5E_DEFAULT, NULL, NULL) < 0 || H5PLset_loading_state(0) < 0)
    stream_fail("the HDF5 library does not start");

  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (access < 0 || H5Pset_fapl_core(access, 1 << 16, 0) < 0 || H5Pset_file_image(access, bytes, size) < 0)
    stream_fail("the file does not fit into memory");
  free(bytes);
  hid_t file = H5Fopen("file", H5F_ACC_RDONLY, access);
  if (file < 0) fail_with_library_error("cannot open", "the file");
  hid_t root = H5Oopen(file, "/", H5P_DEFAULT);
  H5O_info_t info;
  if (root < 0 || H5Oget_info2(root, &info, H5O_INFO_BASIC) < 0) fail_with_library_error("cannot open", "/");
  is_new(info.addr);
  struct walk walk = {"", 0};
  put_object(root, &walk);
  stream_end();
}
