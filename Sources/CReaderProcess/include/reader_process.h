// The two system calls of Linux that Swift does not import, and what must happen between them.
#pragma once

#include <stddef.h>
#include <sys/types.h>

// Makes a file without a name that holds `bytes`, to be read from its start by whoever gets it.
// Returns its descriptor, or -1 with errno set.
int reader_file(const void *bytes, size_t count);

// Starts the program at `path` with `input` as its standard input, its standard output in a pipe, nothing for its
// standard error, no other descriptor, and no environment but LD_LIBRARY_PATH. `arguments` ends with NULL.
// Returns 0 and sets the process and the end of the pipe to read from; otherwise the system's error number.
int reader_start(const char *path, char *const *arguments, int input, pid_t *process, int *output);
