/* What the small MPI programs in C share; as program.hpp. */
#ifndef HYPERMILE_TESTS_PROGRAM_H
#define HYPERMILE_TESTS_PROGRAM_H

#include <mpi.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Argument `index` as a number, or `fallback` where there is none. */
static inline int argument(int argc, char** argv, int index, int fallback) {
  return index < argc ? atoi(argv[index]) : fallback;
}

/* Computes for about so many microseconds; the result is 1. */
static inline double work(int microseconds) {
  double x = 2.0;
  for (int i = 0; i < microseconds; ++i)
    for (int step = 0; step < 600; ++step)
      x = 0.75 * x + 0.25;
  return x;
}

static inline int near(double value, double expected) { return fabs(value - expected) < 1e-9; }

/* The program's exit code. */
static inline int verdict(int rank, int ok) {
  if (!ok)
    fprintf(stderr, "rank %d: wrong result\n", rank);
  return ok ? 0 : 1;
}

#endif
