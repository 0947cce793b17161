/* hypermile's interface for programs in C and C++. Programs in Fortran use the module hypermile:
 * compile hypermile.f90, which is beside this file, together with the program.
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

void hypermile_on_progress(unsigned long items) __attribute__((weak));
void hypermile_on_arrival(unsigned long items) __attribute__((weak));
void hypermile_on_threads(void (*resize)(int threads)) __attribute__((weak));

/* For `hypermile steer`: n more items of work are done (requests answered, frames coded, steps
 * made), whatever they are, as long as they are alike. Any thread may call it, as often as it
 * likes: it never waits, and makes no system call but at the first time. Does nothing and costs
 * nothing where hypermile's library (libhypermile-progress.so) is not there: nothing has to be
 * linked. Never fails.
 *
 * `hypermile steer -- PROGRAM` preloads the library. It has to be linked to a program that is not
 * position-independent (-no-pie), or that is to be steered when it runs already and is not started
 * with it preloaded: -Wl,--no-as-needed -lhypermile-progress. */
static inline void hm_progress(unsigned long n) {
  if (hypermile_on_progress)
    hypermile_on_progress(n);
}

/* n more items of work have arrived, whether they are done now, later or never (dropped): by this,
 * a change of what is asked of a program is told from a change of the program. As hm_progress; for
 * programs that work on what comes, and not on what is there from the begin. */
static inline void hm_arrival(unsigned long n) {
  if (hypermile_on_arrival)
    hypermile_on_arrival(n);
}

/* The program can change how many threads work: resize(threads), with threads >= 1, is called from
 * within a later hm_progress, of whichever thread comes first after hypermile wants another number;
 * of one thread at a time. It must not wait for the thread that calls it to end. A null pointer
 * takes it back; the last one given holds. */
static inline void hm_on_threads(void (*resize)(int threads)) {
  if (hypermile_on_threads)
    hypermile_on_threads(resize);
}

#ifdef __cplusplus
}
#endif

#endif
