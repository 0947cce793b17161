/* 10 parallel loops (20 items: the loops and their regions), a region with 5 loops (6) and one with
 * 7 tasks (8): 34 items, however many threads there are. */

static volatile double nothing;

static void work(int i) { nothing = i; }

int main(void) {
  for (int round = 0; round < 10; ++round) {
#pragma omp parallel for
    for (int i = 0; i < 1000; ++i)
      work(i);
  }
#pragma omp parallel
  for (int round = 0; round < 5; ++round) {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 100; ++i)
      work(i);
  }
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 7; ++i) {
#pragma omp task
    work(i);
  }
  return 0;
}
