#include <hypermile/hypermile.h>
#include <stdio.h>

int main(void) {
  for (int step = 0; step < 3; ++step) {
    hm_iteration();
    hm_progress(1);
  }
  puts("done");
  return 0;
}
