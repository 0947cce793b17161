/// Starts one more process per rank by MPI_Comm_spawn, sums up with them, and goes on alone.
/// spawning [iterations] [work in us]
#include "program.hpp"

namespace {

bool with_children(MPI_Comm between) {
  int everybody = 0;
  int one = 1;
  MPI_Comm together = MPI_COMM_NULL;
  MPI_Intercomm_merge(between, 0, &together);
  MPI_Allreduce(&one, &everybody, 1, MPI_INT, MPI_SUM, together);
  int size = 0;
  MPI_Comm_size(together, &size);
  MPI_Comm_free(&together);
  return everybody == size;
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const program::World world;
  const int iterations = program::argument(argc, argv, 1, 60);
  const int work = program::argument(argc, argv, 2, 1000);

  MPI_Comm between = MPI_COMM_NULL;
  MPI_Comm_get_parent(&between);
  const bool spawned = between != MPI_COMM_NULL;
  if (!spawned)
    MPI_Comm_spawn(argv[0], argv + 1, world.ranks, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between,
                   MPI_ERRCODES_IGNORE);
  bool ok = with_children(between);
  for (int i = 0; i < iterations; ++i)
    ok = ok && program::near(program::sum_of(program::work(work)), world.ranks);
  MPI_Comm_disconnect(&between);
  return program::finish(ok);
}
