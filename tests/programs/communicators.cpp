/// The same tags and ranks in communicators made in many ways, some of them freed and made again.
/// communicators [rounds] [work in us]
#include "program.hpp"

#include <array>

namespace {

/// A ring and a sum in the communicator; the ring receives from anybody.
bool ring(MPI_Comm comm, int work) {
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const double out = rank + program::work(work);
  double in = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(&in, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 1, comm, &request);
  MPI_Send(&out, 1, MPI_DOUBLE, (rank + 1) % size, 1, comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  double sum = 0;
  MPI_Allreduce(&in, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
  return program::near(in, (rank + size - 1) % size + 1.0) &&
         program::near(sum, 0.5 * size * (size + 1));
}

bool used_and_freed(MPI_Comm comm, int work) {
  const bool ok = comm == MPI_COMM_NULL || ring(comm, work);
  if (comm != MPI_COMM_NULL)
    MPI_Comm_free(&comm);
  return ok;
}

/// The upper half of a communicator, made by those who are in it.
bool by_group(MPI_Comm parent, int work, bool all_call) {
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(parent, &rank);
  MPI_Comm_size(parent, &size);
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group upper = MPI_GROUP_NULL;
  int range[1][3] = {{size / 2, size - 1, 1}};
  MPI_Comm_group(parent, &all);
  MPI_Group_range_incl(all, 1, range, &upper);
  MPI_Comm made = MPI_COMM_NULL;
  if (all_call)
    MPI_Comm_create(parent, upper, &made);
  else if (rank >= size / 2)
    MPI_Comm_create_group(parent, upper, 7, &made);
  MPI_Group_free(&all);
  MPI_Group_free(&upper);
  return used_and_freed(made, work);
}

bool grid(MPI_Comm parent, int work) {
  int size = 0;
  MPI_Comm_size(parent, &size);
  std::array<int, 2> dims{2, size / 2}; // one is left out where the number is odd
  std::array<int, 2> periods{0, 1};
  std::array<int, 2> rows{0, 1};
  MPI_Comm cart = MPI_COMM_NULL;
  MPI_Cart_create(parent, 2, dims.data(), periods.data(), 0, &cart);
  if (cart == MPI_COMM_NULL)
    return true;
  MPI_Comm row = MPI_COMM_NULL;
  MPI_Cart_sub(cart, rows.data(), &row);
  const bool ok = used_and_freed(row, work);
  return used_and_freed(cart, work) && ok;
}

bool round(const program::World& world, int work) {
  MPI_Comm twin = MPI_COMM_NULL;
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  // Ranks the other way round; the last is in no half.
  const bool last = world.ranks > 2 && world.rank == world.ranks - 1;
  MPI_Comm_split(twin, last ? MPI_UNDEFINED : world.rank % 2, -world.rank, &half);
  bool ok = ring(twin, work) && ring(MPI_COMM_WORLD, work) && ring(MPI_COMM_SELF, work);
  if (half != MPI_COMM_NULL) {
    MPI_Comm_dup(half, &part);
    ok = ring(half, work) && ok;
    ok = ring(part, work) && ok;
    ok = used_and_freed(half, work) && ok; // before what was made of it
    ok = used_and_freed(part, work) && ok;
  }
  MPI_Comm_split_type(twin, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  ok = used_and_freed(node, work) && ok;
  ok = by_group(twin, work, true) && ok;
  ok = by_group(twin, work, false) && ok;
  ok = grid(twin, work) && ok;
  return used_and_freed(twin, work) && ok;
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const program::World world;
  const int rounds = program::argument(argc, argv, 1, 3);
  const int work = program::argument(argc, argv, 2, 50);
  bool ok = true;
  for (int i = 0; i < rounds; ++i)
    ok = round(world, work) && ok;
  return program::finish(ok);
}
