// Datasets and attributes, put into the stream.
#pragma once

#include <hdf5.h>

// Writes a dataset's record, or that it was passed over and why.
void put_dataset(hid_t dataset, const char *path);

// Writes the record of one attribute of the object at `path`.
void put_attribute(hid_t attribute, const char *name, const char *path);

// Ends the program with what the library says is wrong.
_Noreturn void fail_with_library_error(const char *what, const char *path);
