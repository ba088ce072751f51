#define _GNU_SOURCE
#include "reader_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int reader_file(const void *bytes, size_t count) {
  int file = memfd_create("hdf5", MFD_CLOEXEC);
  if (file < 0) return -1;
  for (size_t done = 0; done < count;) {
    ssize_t wrote = write(file, (const char *)bytes + done, count - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      int number = errno;
      close(file);
      errno = number;
      return -1;
    }
    done += (size_t)wrote;
  }
  return file;
}

int reader_start(const char *path, char *const *arguments, int input, pid_t *process, int *output) {
  int ends[2];
  // Closed in every other child that starts meanwhile, or this pipe would not end with its writer.
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  char libraries[4096];
  const char *found = getenv("LD_LIBRARY_PATH");
  int length = snprintf(libraries, sizeof libraries, "LD_LIBRARY_PATH=%s", found ? found : "");
  char *environment[] = {found && length < (int)sizeof libraries ? libraries : NULL, NULL};

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, usual;
  sigemptyset(&none);
  sigfillset(&usual);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, input, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  // Whatever this program does with signals, the child is to die of them.
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  int failure = posix_spawn(process, path, &actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (failure != 0) {
    close(ends[0]);
    return failure;
  }
  *output = ends[0];
  return 0;
}
