/// Every way to complete a request, with and without statuses, with senders and tags that are
/// named or not; messages to oneself, to nobody, buffered, cancelled, given up.
/// completions [rounds] [work in us]
#include "program.hpp"

#include <array>
#include <vector>

namespace {

constexpr int tag = 5;

/// Receives and sends of one round, such that the message of tag k says k.
struct Exchange {
  std::array<MPI_Request, 4> requests{};
  std::array<int, 2> out{tag, tag + 1};
  std::array<int, 2> in{};

  explicit Exchange(const program::World& world, bool wild = false) {
    for (std::size_t k = 0; k < 2; ++k) {
      // The sender before, or anybody; a named tag keeps the two apart.
      MPI_Irecv(&in[k], 1, MPI_INT, wild ? MPI_ANY_SOURCE : world.previous(), out[k],
                MPI_COMM_WORLD, &requests[k]);
      MPI_Isend(&out[k], 1, MPI_INT, world.next(), out[k], MPI_COMM_WORLD, &requests[2 + k]);
    }
  }
  [[nodiscard]] bool right() const { return in == out; }
};

bool wait_any(const program::World& world) {
  Exchange exchange(world);
  int index = 0;
  for (int done = 0; done < 4; ++done)
    MPI_Waitany(4, exchange.requests.data(), &index, MPI_STATUS_IGNORE);
  MPI_Waitany(4, exchange.requests.data(), &index, MPI_STATUS_IGNORE);
  return exchange.right() && index == MPI_UNDEFINED;
}

bool wait_some(const program::World& world, bool with_statuses) {
  Exchange exchange(world);
  std::array<MPI_Status, 4> statuses{};
  std::array<int, 4> indices{};
  for (int all = 0; all < 4;) {
    int done = 0;
    MPI_Waitsome(4, exchange.requests.data(), &done, indices.data(),
                 with_statuses ? statuses.data() : MPI_STATUSES_IGNORE);
    all += done;
  }
  return exchange.right();
}

bool test_each(const program::World& world) {
  Exchange exchange(world, true);
  for (MPI_Request& request : exchange.requests)
    for (int flag = 0; flag == 0;)
      MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  return exchange.right();
}

/// Only of the receives: SimGrid 3.32 never tells that a short send is complete.
bool test_any(const program::World& world) {
  Exchange exchange(world);
  for (int done = 0; done < 2;) {
    int index = MPI_UNDEFINED;
    int flag = 0;
    MPI_Testany(2, exchange.requests.data(), &index, &flag, MPI_STATUS_IGNORE);
    done += flag != 0 && index != MPI_UNDEFINED ? 1 : 0;
  }
  MPI_Waitall(2, &exchange.requests[2], MPI_STATUSES_IGNORE);
  return exchange.right();
}

bool test_all(const program::World& world) {
  Exchange exchange(world, true);
  for (int flag = 0; flag == 0;)
    MPI_Testall(4, exchange.requests.data(), &flag, MPI_STATUSES_IGNORE);
  return exchange.right();
}

bool test_some(const program::World& world) {
  Exchange exchange(world);
  std::array<int, 4> indices{};
  for (int all = 0; all < 4;) {
    int done = 0;
    MPI_Testsome(4, exchange.requests.data(), &done, indices.data(), MPI_STATUSES_IGNORE);
    all += done > 0 ? done : 0;
  }
  return exchange.right();
}

bool wait_all(const program::World& world, bool wild) {
  Exchange exchange(world, wild);
  MPI_Waitall(4, exchange.requests.data(), MPI_STATUSES_IGNORE);
  return exchange.right();
}

/// Shorter than the receiver is ready for, of any tag, from anybody: oneself.
bool self(const program::World& world) {
  std::array<double, 10> in{};
  const double out = world.rank;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(in.data(), 10, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &request);
  MPI_Send(&out, 1, MPI_DOUBLE, 0, tag, MPI_COMM_SELF);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Status status{};
  MPI_Sendrecv(&out, 1, MPI_DOUBLE, world.rank, 7, &in[1], 9, MPI_DOUBLE, MPI_ANY_SOURCE, 7,
               MPI_COMM_WORLD, &status);
  return in[0] == out && in[1] == out && status.MPI_SOURCE == world.rank;
}

bool nobody(const program::World& world) {
  double value = world.rank;
  std::array<MPI_Request, 2> requests{};
  MPI_Send(&value, 1, MPI_DOUBLE, MPI_PROC_NULL, tag, MPI_COMM_WORLD);
  MPI_Recv(&value, 1, MPI_DOUBLE, MPI_PROC_NULL, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Isend(&value, 1, MPI_DOUBLE, MPI_PROC_NULL, tag, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&value, 1, MPI_DOUBLE, MPI_PROC_NULL, tag, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
  // A chain: the first has nobody before it, the last nobody behind.
  const int to = world.rank + 1 < world.ranks ? world.rank + 1 : MPI_PROC_NULL;
  const int from = world.rank > 0 ? world.rank - 1 : MPI_PROC_NULL;
  MPI_Sendrecv_replace(&value, 1, MPI_DOUBLE, to, 8, from, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return value == (world.rank > 0 ? world.rank - 1 : 0);
}

bool buffered(const program::World& world) {
  std::vector<char> buffer(2 * (sizeof(double) + MPI_BSEND_OVERHEAD) + 1024);
  MPI_Buffer_attach(buffer.data(), static_cast<int>(buffer.size()));
  const double value = world.rank;
  double in = -1;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Bsend(&value, 1, MPI_DOUBLE, world.next(), tag, MPI_COMM_WORLD);
  MPI_Ibsend(&value, 1, MPI_DOUBLE, world.next(), tag + 1, MPI_COMM_WORLD, &request);
  MPI_Recv(&in, 1, MPI_DOUBLE, world.previous(), tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(&in, 1, MPI_DOUBLE, world.previous(), tag + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  void* detached = nullptr;
  int size = 0;
  MPI_Buffer_detach(&detached, &size);
  return in == world.previous();
}

/// A receive that never gets a message, and a send that nobody waits for.
bool given_up(const program::World& world) {
  double never = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(&never, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  static const double value = 1;
  double in = 0;
  MPI_Isend(&value, 1, MPI_DOUBLE, world.next(), 98, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
  MPI_Recv(&in, 1, MPI_DOUBLE, world.previous(), 98, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return in == 1 && never == 0;
}

bool every_send(const program::World& world) {
  const double value = 2;
  double in = 0;
  std::array<MPI_Request, 2> requests{};
  MPI_Irecv(&in, 1, MPI_DOUBLE, world.previous(), 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Ssend(&value, 1, MPI_DOUBLE, world.next(), 1, MPI_COMM_WORLD);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Irecv(&in, 1, MPI_DOUBLE, world.previous(), 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Barrier(MPI_COMM_WORLD); // a ready send wants its receiver ready
  MPI_Rsend(&value, 1, MPI_DOUBLE, world.next(), 2, MPI_COMM_WORLD);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  MPI_Irecv(&in, 1, MPI_DOUBLE, world.previous(), 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Issend(&value, 1, MPI_DOUBLE, world.next(), 3, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
  return in == 2;
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const program::World world;
  const int rounds = program::argument(argc, argv, 1, 5);
  const int work = program::argument(argc, argv, 2, 100);
  bool ok = true;
  for (int round = 0; round < rounds; ++round) {
    program::work(work);
    ok = wait_any(world) && wait_some(world, true) && wait_some(world, false) && test_each(world) &&
         test_any(world) && test_all(world) && test_some(world) && wait_all(world, false) &&
         wait_all(world, true) && self(world) && nobody(world) && buffered(world) &&
         given_up(world) && every_send(world) && ok;
    MPI_Barrier(MPI_COMM_WORLD); // a receive from anybody is of this round
  }
  return program::finish(ok);
}
