/* A program that reports its progress and does what others do not: its first argument says what,
 * the second for how many seconds. */

#define _GNU_SOURCE
#include <hypermile/hypermile.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A millisecond of a thread's CPU time. */
static void* one_item(void* nothing) {
  const double begin = now(CLOCK_THREAD_CPUTIME_ID);
  while (now(CLOCK_THREAD_CPUTIME_ID) < begin + 1e-3) {
  }
  hm_progress(1);
  return nothing;
}

static void work(double until) {
  while (now(CLOCK_MONOTONIC) < until)
    one_item(NULL);
}

/* Each item by a thread of its own. */
static void work_with_many_threads(double until) {
  while (now(CLOCK_MONOTONIC) < until) {
    pthread_t thread[2];
    for (int i = 0; i < 2; ++i)
      if (pthread_create(&thread[i], NULL, one_item, NULL) != 0)
        exit(3);
    for (int i = 0; i < 2; ++i)
      pthread_join(thread[i], NULL);
  }
}

static pid_t start_worker(double until) {
  const pid_t child = fork();
  if (child < 0)
    exit(4);
  if (child == 0) {
    work(until);
    exit(0);
  }
  return child;
}

static void work_by_children(double until) {
  for (int i = 0; i < 2; ++i)
    start_worker(until);
  while (wait(NULL) > 0) {
  }
}

int main(int argc, char** argv) {
  const char* what = argc > 2 ? argv[1] : "";
  const double until = now(CLOCK_MONOTONIC) + (argc > 2 ? atof(argv[2]) : 0);
  if (strcmp(what, "threads") == 0) {
    work_with_many_threads(until);
  } else if (strcmp(what, "workers") == 0) {
    work_by_children(until);
  } else if (strcmp(what, "daemon") == 0) {
    if (fork() == 0) {
      setsid();
      work_by_children(until);
    }
  } else if (strcmp(what, "close") == 0) {
    closefrom(3);
    work(until);
  } else if (strcmp(what, "crash") == 0) {
    work(until);
    raise(SIGSEGV);
  } else if (strcmp(what, "silent") == 0) {
    sleep((unsigned)atoi(argv[2]));
  } else {
    fprintf(stderr, "odd: unknown\n");
    return 2;
  }
  return 0;
}
