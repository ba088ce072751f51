// What Glibc's module leaves out of Swift.
#ifndef CFILES_EXCHANGE_H
#define CFILES_EXCHANGE_H

// Lets two paths of one file system change places in one step. Gives 0, or -1 with errno set where that is not possible.
int cf_exchange(const char *first, const char *second);

#endif
