/* A program that reports progress as its arguments say, one after the other. */

#include <hypermile/hypermile.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int is(const char* word, const char* name) { return strcmp(word, name) == 0; }

/* Tells the test that it has come this far, and waits until the test lets it go on. */
static void meet(void) {
  char go = 0;
  if (write(STDOUT_FILENO, "x", 1) != 1 || read(STDIN_FILENO, &go, 1) != 1)
    _exit(3);
}

static atomic_int nested;
static atomic_int resized;

static void resize(int threads) {
  if (nested++ > 0)
    _exit(4);
  hm_progress(1); /* must not come back to here */
  printf("%d threads\n", threads);
  fflush(stdout);
  nested--;
  resized++;
}

static void resize_slowly(int threads) {
  if (nested > 0)
    _exit(4);
  if (threads == 2) {
    nested++;
    meet();
    nested--;
  }
  resize(threads);
}

static void* progress_until_told(void* nothing) {
  while (resized < 2)
    hm_progress(1);
  return nothing;
}

/* Makes progress with two threads until both changes of their number have been told: one of them is
 * told slowly, the other must not be told meanwhile. */
static void be_told_twice(void) {
  pthread_t other;
  hm_on_threads(resize_slowly);
  if (pthread_create(&other, NULL, progress_until_told, NULL) != 0)
    exit(5);
  progress_until_told(NULL);
  pthread_join(other, NULL);
}

static void* count_to_thousand(void* nothing) {
  for (int i = 0; i < 1000; ++i)
    hm_progress(1);
  return nothing;
}

static void count_with_threads(int threads) {
  pthread_t thread[256];
  for (int i = 0; i < threads; ++i)
    if (pthread_create(&thread[i], NULL, count_to_thousand, NULL) != 0)
      exit(5);
  for (int i = 0; i < threads; ++i)
    pthread_join(thread[i], NULL);
}

/* The child goes on; the parent does, too, when it has ended ("fork"), or at once. */
static void fork_child(int wait_for_it) {
  const pid_t child = fork();
  if (child < 0)
    exit(6);
  if (child > 0 && wait_for_it) {
    int status = 1;
    if (waitpid(child, &status, 0) != child)
      exit(7);
    exit(status != 0);
  }
}

static void start_again(char** words) {
  char* arguments[64] = {"reporting"};
  for (int i = 1; i < 63 && words[i - 1] != NULL; ++i)
    arguments[i] = words[i - 1];
  execv("/proc/self/exe", arguments);
  exit(8);
}

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const char* word = argv[i];
    if (is(word, "meet"))
      meet();
    else if (is(word, "progress"))
      hm_progress(strtoul(argv[++i], NULL, 10));
    else if (is(word, "arrival"))
      hm_arrival(strtoul(argv[++i], NULL, 10));
    else if (is(word, "resizable"))
      hm_on_threads(resize);
    else if (is(word, "told_twice"))
      be_told_twice();
    else if (is(word, "fixed"))
      hm_on_threads(NULL);
    else if (is(word, "threads"))
      count_with_threads(atoi(argv[++i]));
    else if (is(word, "close"))
      closefrom(3);
    else if (is(word, "fork"))
      fork_child(1);
    else if (is(word, "exec"))
      start_again(argv + i + 1);
    else
      return 9;
  }
  return 0;
}
