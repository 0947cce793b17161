/// Twenty broadcasts of set-up, then the loop: work, sum.
/// setup_broadcast [iterations] [work in us]
#include "program.hpp"

#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const program::World world;
  const int iterations = program::argument(argc, argv, 1, 50);
  const int work = program::argument(argc, argv, 2, 2000);

  bool ok = true;
  for (int i = 0; i < 20; ++i) {
    std::vector<double> data(64, world.rank == 0 ? i : -1.0);
    MPI_Bcast(data.data(), static_cast<int>(data.size()), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    ok = ok && data.back() == i;
  }
  for (int i = 0; i < iterations; ++i)
    ok = ok && program::near(program::sum_of(program::work(work)), world.ranks);
  return program::finish(ok);
}
