/// One rank ends the program with code 7 in the middle of the loop.
/// exit_code [exit|abort] [rank] [iteration] [iterations] [work in us]
#include "program.hpp"

#include <string_view>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const program::World world;
  const bool aborts = argc > 1 && std::string_view(argv[1]) == "abort";
  const int victim = program::argument(argc, argv, 2, 1);
  const int last = program::argument(argc, argv, 3, 10);
  const int iterations = program::argument(argc, argv, 4, 50);
  const int work = program::argument(argc, argv, 5, 1000);

  bool ok = true;
  for (int i = 0; i < iterations; ++i) {
    if (world.rank == victim && i == last) {
      if (aborts)
        MPI_Abort(MPI_COMM_WORLD, 7);
      exit(7);
    }
    ok = ok && program::near(program::sum_of(program::work(work)), world.ranks);
  }
  return program::finish(ok);
}
