#define _GNU_SOURCE
#include "limits.h"

#include <sys/prctl.h>
#include <sys/resource.h>

static int limit(__rlimit_resource_t resource, uint64_t value) {
  // The system ends a process at the hard limit of time, and tells it first at the soft one, which can be seen from outside.
  struct rlimit wanted = {value, resource == RLIMIT_CPU ? value + 1 : value};
  struct rlimit now;
  if (getrlimit(resource, &now) != 0) return -1;
  // A limit that is lower already stays as it is.
  if (now.rlim_max != RLIM_INFINITY && now.rlim_max < value) wanted.rlim_cur = wanted.rlim_max = now.rlim_max;
  return setrlimit(resource, &wanted);
}

int shut_in(const struct limits *limits) {
  // Where the parent dies, nobody reads any more.
  if (prctl(PR_SET_PDEATHSIG, 9) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  if (limit(RLIMIT_AS, limits->memory_bytes) != 0 || limit(RLIMIT_CPU, limits->cpu_seconds) != 0) return -1;
  return limit(RLIMIT_FSIZE, 0) != 0 || limit(RLIMIT_CORE, 0) != 0 ? -1 : 0;
}

int forbid_files(void) { return limit(RLIMIT_NOFILE, 0); }
