/// An iterative program that wants a signal (SIGFPE) for each division by zero, invalid operation
/// and overflow of its own, and makes none. It finds the flags of floating-point exceptions as it
/// has left them.
/// traps [iterations] [work in us]
#include "program.hpp"

#include <cfenv>

int main(int argc, char** argv) {
  constexpr int traps = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW;
  feenableexcept(traps);
  MPI_Init(&argc, &argv);
  const program::World world;
  const int iterations = program::argument(argc, argv, 1, 50);
  const int work = program::argument(argc, argv, 2, 1500);

  bool ok = true;
  for (int i = 0; i < iterations; ++i) {
    const double computed = program::work(work * (1 + world.rank));
    ok = program::near(program::shift(world, computed + world.rank), 1.0 + world.previous()) && ok;
    ok = program::near(program::sum_of(1.0), world.ranks) && ok;
    ok = fetestexcept(FE_ALL_EXCEPT & ~FE_INEXACT) == 0 && fegetexcept() == traps && ok;
  }
  return program::finish(ok);
}
