/// Threads that use MPI as far as the level allows: at 0 and 1 (single, funneled) they compute, at
/// 2 (serialized) they take turns at the iterations of one loop, at 3 (multiple) each has messages
/// and sums of its own while the first goes on with the loop.
/// threads [level] [threads] [iterations] [work in us] [seconds that it lasts at least]
#include "program.hpp"

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace {

struct Counts {
  int iterations;
  int work;
  double seconds; ///< at level 3: of the other threads
};

double iterate(MPI_Comm comm, const program::World& world, int work) {
  const double mine = program::work(work);
  double theirs = 0.0;
  double sum = 0.0;
  MPI_Request requests[2];
  MPI_Irecv(&theirs, 1, MPI_DOUBLE, world.previous(), 0, comm, &requests[0]);
  MPI_Isend(&mine, 1, MPI_DOUBLE, world.next(), 0, comm, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Allreduce(&theirs, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
  return sum;
}

bool compute(const program::World& world, int threads, const Counts& counts) {
  bool ok = true;
  for (int i = 0; i < counts.iterations; ++i) {
    std::vector<std::thread> team;
    std::atomic<int> done = 0;
    for (int t = 1; t < threads; ++t)
      team.emplace_back([&] { done += static_cast<int>(program::work(counts.work) + 0.5); });
    ok = ok && program::near(iterate(MPI_COMM_WORLD, world, counts.work), world.ranks);
    for (auto& thread : team)
      thread.join();
    ok = ok && done == threads - 1;
  }
  return ok;
}

bool take_turns(const program::World& world, int threads, const Counts& counts) {
  std::mutex one_at_a_time;
  int iteration = 0;
  bool ok = true;
  std::vector<std::thread> team;
  for (int t = 0; t < threads; ++t)
    team.emplace_back([&] {
      for (;;) {
        const std::lock_guard lock(one_at_a_time);
        if (iteration == counts.iterations)
          return;
        ++iteration;
        ok = program::near(iterate(MPI_COMM_WORLD, world, counts.work), world.ranks) && ok;
      }
    });
  for (auto& thread : team)
    thread.join();
  return ok;
}

/// All ranks stop after the same iteration: rank 0's clock counts, asked now and then.
bool go_on(MPI_Comm comm, const program::World& world, const Counts& counts) {
  const double begin = MPI_Wtime();
  bool ok = true;
  for (int more = 1; more != 0;) {
    for (int i = 0; i < counts.iterations; ++i)
      ok = ok && program::near(iterate(comm, world, counts.work), world.ranks);
    more = MPI_Wtime() - begin < counts.seconds ? 1 : 0;
    MPI_Bcast(&more, 1, MPI_INT, 0, comm);
  }
  return ok;
}

bool all_at_once(const program::World& world, int threads, const Counts& counts) {
  std::vector<MPI_Comm> comms(static_cast<std::size_t>(threads));
  for (MPI_Comm& comm : comms)
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  std::atomic<bool> ok = true;
  std::vector<std::thread> team;
  for (int t = 1; t < threads; ++t)
    team.emplace_back([&, t] {
      if (!go_on(comms[static_cast<std::size_t>(t)], world, counts))
        ok = false;
    });
  if (!go_on(comms[0], world, counts))
    ok = false;
  for (auto& thread : team)
    thread.join();
  for (MPI_Comm& comm : comms)
    MPI_Comm_free(&comm);
  return ok;
}

} // namespace

int main(int argc, char** argv) {
  const int wanted = program::argument(argc, argv, 1, 3);
  int level = 0;
  constexpr int levels[]{MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
                         MPI_THREAD_MULTIPLE};
  MPI_Init_thread(&argc, &argv, levels[wanted], &level);
  if (level < levels[wanted]) {
    std::fprintf(stderr, "this MPI cannot do that\n");
    return program::finish(false);
  }
  const program::World world;
  const int threads = program::argument(argc, argv, 2, 4);
  const Counts counts{program::argument(argc, argv, 3, 50), program::argument(argc, argv, 4, 1000),
                      double{1} * program::argument(argc, argv, 5, 0)};
  if (wanted < 2)
    return program::finish(compute(world, threads, counts));
  return program::finish(wanted == 2 ? take_turns(world, threads, counts)
                                     : all_at_once(world, threads, counts));
}
