/* Loaded into a program, lets no file below $NO_SPACE_IN be written by the C library: the disk is
   full. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef size_t (*write_function)(const void*, size_t, size_t, FILE*);

static int is_full(FILE* file) {
  const char* const folder = getenv("NO_SPACE_IN");
  char link[64];
  char path[PATH_MAX] = "";
  snprintf(link, sizeof link, "/proc/self/fd/%d", fileno(file));
  return folder != NULL && readlink(link, path, sizeof path - 1) > 0 &&
         strncmp(path, folder, strlen(folder)) == 0;
}

size_t fwrite(const void* bytes, size_t size, size_t count, FILE* file) {
  if (size * count > 0 && is_full(file)) {
    errno = ENOSPC;
    return 0;
  }
  write_function next = NULL;
  *(void**)&next = dlsym(RTLD_NEXT, "fwrite");
  return next(bytes, size, count, file);
}
