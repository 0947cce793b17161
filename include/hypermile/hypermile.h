/* hypermile's interface for programs, in C and C++; in Fortran: use hypermile.
 *
 * hypermile finds the main loop of an unmodified program by itself. Where it does not, or where
 * it should not have to, the program can say where its iterations begin.
 */
#ifndef HYPERMILE_HYPERMILE_H
#define HYPERMILE_HYPERMILE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Defined where hypermile is loaded into the program, and nowhere else. */
void hypermile_on_iteration(void) __attribute__((weak));

/* Marks the begin of an iteration of the program's main loop; to be called by every rank, after
 * MPI_Init. Does nothing and costs nothing where hypermile is not loaded: nothing has to be
 * linked. Never fails. */
static inline void hm_iteration(void) {
  if (hypermile_on_iteration)
    hypermile_on_iteration();
}

#ifdef __cplusplus
}
#endif

#endif
