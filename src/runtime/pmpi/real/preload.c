/* What `hypermile run` has every process of a job load first. It knows no MPI: where a process
   turns out to use one that hypermile knows, the calls go on to the library made for that one;
   everywhere else they go where they went before.

   Every function of MPI takes integers and pointers only, each of which has a register or a stack
   slot of its own in the calling conventions of 64-bit Linux: so one kind of function that passes
   words on stands for all of them, in C and in Fortran. As these calls come last in their
   functions, the compiler makes jumps of them: the MPI wrappers still see who called. */

#define _GNU_SOURCE
#include "runtime/pmpi/numbered_arguments.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HM_EXPORT __attribute__((visibility("default")))

struct flavour {
  const char* mpi;       /* how the file name of the MPI library begins */
  const char* hypermile; /* the library for it, beside this one */
};

static const struct flavour flavours[] = {{"libmpi.so.40", "libhypermile-openmpi.so"},
                                          {"libmpich.so.12", "libhypermile-mpich.so"}};

static char mpi_path[PATH_MAX];
static void* mpi;
static void* _Atomic wrappers;

static int is_mpi(struct dl_phdr_info* loaded, size_t size, void* found) {
  (void)size;
  const char* const slash = strrchr(loaded->dlpi_name, '/');
  const char* const name = slash == NULL ? loaded->dlpi_name : slash + 1;
  for (size_t f = 0; f < sizeof flavours / sizeof *flavours; ++f)
    if (strncmp(name, flavours[f].mpi, strlen(flavours[f].mpi)) == 0) {
      snprintf(mpi_path, sizeof mpi_path, "%s", loaded->dlpi_name);
      *(const struct flavour**)found = &flavours[f];
      return 1;
    }
  return 0;
}

static void warn(const char* what) {
  fprintf(stderr, "hypermile: warning: %s; the program runs as it would without hypermile\n", what);
}

static void load_wrappers(void) {
  const struct flavour* flavour = NULL;
  dl_iterate_phdr(is_mpi, &flavour);
  if (flavour == NULL) {
    warn("the program's MPI library is neither Open MPI 4 (libmpi.so.40) nor MPICH "
         "(libmpich.so.12)");
    return;
  }
  mpi = dlopen(mpi_path, RTLD_LAZY | RTLD_NOLOAD);
  Dl_info self;
  char path[PATH_MAX + 64];
  if (dladdr(&flavours, &self) == 0)
    return;
  const char* const slash = strrchr(self.dli_fname, '/');
  const int folder = slash == NULL ? 0 : (int)(slash - self.dli_fname + 1);
  snprintf(path, sizeof path, "%.*s%s", folder, self.dli_fname, flavour->hypermile);
  wrappers = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (wrappers == NULL)
    warn(dlerror());
}

/* A tool that stands in front of MPI, too: it calls on by the names with PMPI_, which come back
   here. */
static int is_tools(const void* function) {
  static const char* const of_mpi[] = {"libmpi.so",       "libmpi_",        "libmpich.so",
                                       "libmpichfort.so", "libmpichcxx.so", "libhypermile-"};
  Dl_info library;
  if (function == NULL || dladdr(function, &library) == 0 || library.dli_fname == NULL)
    return 0;
  const char* const slash = strrchr(library.dli_fname, '/');
  const char* const name = slash == NULL ? library.dli_fname : slash + 1;
  for (size_t i = 0; i < sizeof of_mpi / sizeof *of_mpi; ++i)
    if (strncmp(name, of_mpi[i], strlen(of_mpi[i])) == 0)
      return 0;
  return 1;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Where calls of this function go: to hypermile's wrapper, or past it. */
static uintptr_t find(const char* name) {
  pthread_once(&once, load_wrappers);
  void* const next = dlsym(RTLD_NEXT, name);
  void* symbol = wrappers == NULL || is_tools(next) ? NULL : dlsym(wrappers, name);
  if (symbol == NULL)
    symbol = next;
  if (symbol == NULL && mpi != NULL)
    symbol = dlsym(mpi, name);
  if (symbol == NULL) {
    fprintf(stderr, "hypermile: error: no library of this program has %s\n", name);
    abort();
  }
  return (uintptr_t)symbol;
}

#define HM_PARAMETER(function, number) long
#define HM_P0(function) void

#define HM_PASS_ON(result, symbol, count)                                                          \
  HM_EXPORT result symbol(HM_P##count(symbol));                                                    \
  HM_EXPORT result symbol(HM_P##count(symbol)) {                                                   \
    static _Atomic uintptr_t target;                                                               \
    uintptr_t to = atomic_load_explicit(&target, memory_order_relaxed);                            \
    if (to == 0) {                                                                                 \
      to = find(#symbol);                                                                          \
      atomic_store_explicit(&target, to, memory_order_relaxed);                                    \
    }                                                                                              \
    return ((__typeof__(&symbol))to)(HM_A##count);                                                 \
  }

#define HM_IN_C(result, name, count)                                                               \
  HM_PASS_ON(result, MPI_##name, count)                                                            \
  HM_PASS_ON(result, PMPI_##name, count)

HM_IN_C(long, Init, 2)
HM_IN_C(long, Init_thread, 4)
HM_IN_C(long, Finalize, 0)
HM_IN_C(long, Abort, 2)
HM_IN_C(double, Wtime, 0)

#define HM_MPI(name, since, fortran, kind, count) HM_IN_C(long, name, count)
#include "runtime/pmpi/functions.def"

#define HM_IN_FORTRAN(symbol, count) HM_PASS_ON(long, symbol, count)
#define HM_MPI_WITH_STRINGS(...)
#define HM_MPI_LARGE(name, since, fortran, kind, count)                                            \
  HM_IN_FORTRAN(mpi_##fortran##_f08_large_, HM_AND_ERROR##count)                                   \
  HM_IN_FORTRAN(mpi_##fortran##_f08ts_large_, HM_AND_ERROR##count)
#define HM_MPI(name, since, fortran, kind, count)                                                  \
  HM_IN_FORTRAN(mpi_##fortran##_, HM_AND_ERROR##count)                                             \
  HM_IN_FORTRAN(mpi_##fortran##_f08_, HM_AND_ERROR##count)                                         \
  HM_IN_FORTRAN(mpi_##fortran##_f08ts_, HM_AND_ERROR##count)
#include "runtime/pmpi/functions.def"

/* What hm_iteration() of include/hypermile/hypermile.h calls. */
HM_EXPORT void hypermile_on_iteration(void);
HM_EXPORT void hypermile_on_iteration(void) {
  static _Atomic uintptr_t target;
  uintptr_t to = atomic_load_explicit(&target, memory_order_relaxed);
  if (to == 0) {
    if (wrappers == NULL) /* before MPI_Init, or without MPI */
      return;
    to = (uintptr_t)dlsym(wrappers, "hypermile_on_iteration");
    atomic_store_explicit(&target, to, memory_order_relaxed);
  }
  ((void (*)(void))to)();
}
