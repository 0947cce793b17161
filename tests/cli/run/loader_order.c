/* Loaded into a program, tells when a library is opened within dl_iterate_phdr(): that takes the
   loader's locks in the wrong order, and may hang a program that opens libraries at the same time.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>

typedef int callback_function(struct dl_phdr_info*, size_t, void*);
typedef int iterate_function(callback_function*, void*);
typedef void* open_function(const char*, int);

static __thread int within = 0;
static int seen = 0;

int dl_iterate_phdr(callback_function* callback, void* data) {
  iterate_function* next = NULL;
  *(void**)&next = dlsym(RTLD_NEXT, "dl_iterate_phdr");
  seen = 1;
  ++within;
  const int result = next(callback, data);
  --within;
  return result;
}

void* dlopen(const char* file, int mode) {
  open_function* next = NULL;
  *(void**)&next = dlsym(RTLD_NEXT, "dlopen");
  if (within > 0)
    fprintf(stderr, "%s is opened within dl_iterate_phdr()\n", file);
  return next(file, mode);
}

__attribute__((destructor)) static void tell(void) {
  if (seen)
    fprintf(stderr, "dl_iterate_phdr() was watched\n");
}
