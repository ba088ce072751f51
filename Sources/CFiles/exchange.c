#define _GNU_SOURCE
#include "exchange.h"

#include <fcntl.h>
#include <stdio.h>

int cf_exchange(const char *first, const char *second) {
  return renameat2(AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE);
}
