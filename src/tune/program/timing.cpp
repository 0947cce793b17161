#include "tune/program/timing.hpp"

#include "tune/program/copying.hpp"
#include "tune/program/late.hpp"

#include <cstddef>
#include <vector>

namespace hypermile::tune {
namespace {

/// All ranks meet; then this one is late, as if it had computed until then.
Times perform_late(Operation operation, const Buffers& buffers, MPI_Comm communicator, int size_b,
                   int root, double late_s) {
  MPI_Barrier(communicator);
  const double met = MPI_Wtime();
  double begin = met;
  while (begin - met < late_s)
    begin = MPI_Wtime();
  perform(operation, buffers, size_b, root, communicator);
  return {begin - met, MPI_Wtime() - met};
}

/// Whether all ranks go on, as rank 0 says.
bool goes_on(bool wanted, MPI_Comm ranks) {
  int flag = wanted ? 1 : 0;
  MPI_Bcast(&flag, 1, MPI_INT, 0, ranks);
  return flag != 0;
}

/// What came of all repetitions, on rank 0.
CellTime summary(const Lateness& lateness, const std::vector<Times>& mine, MPI_Comm communicator) {
  const auto repetitions = static_cast<int>(mine.size());
  const int ranks = ranks_of(communicator);
  std::vector<double> begins;
  std::vector<double> ends;
  for (const Times& times : mine) {
    begins.push_back(times.begin_s);
    ends.push_back(times.end_s);
  }
  std::vector<double> last_begins(mine.size());
  std::vector<double> last_ends(mine.size());
  std::vector<double> sums_of_ends(mine.size());
  const auto reduce = [&](const std::vector<double>& from, std::vector<double>& to, MPI_Op op) {
    MPI_Reduce(from.data(), to.data(), repetitions, MPI_DOUBLE, op, 0, communicator);
  };
  reduce(begins, last_begins, MPI_MAX);
  reduce(ends, last_ends, MPI_MAX);
  reduce(ends, sums_of_ends, MPI_SUM);
  for (std::size_t i = 0; i < mine.size(); ++i) {
    last_ends[i] -= last_begins[i];
    sums_of_ends[i] = sums_of_ends[i] / ranks - last_begins[i];
  }
  return {median(last_ends), inside_s(lateness, ranks, sums_of_ends), repetitions};
}

} // namespace

int rank_in(MPI_Comm communicator) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  return rank;
}

int ranks_of(MPI_Comm communicator) {
  int ranks = 0;
  MPI_Comm_size(communicator, &ranks);
  return ranks;
}

CellTime time_operation(const Job& job, const Buffers& buffers, MPI_Comm communicator, int size_b,
                        std::uint64_t pass) {
  const Repetitions repetitions(job.arrival, job.cell_s);
  const int ranks = ranks_of(communicator);
  const int rank = rank_in(communicator);
  const Lateness lateness{.arrival = job.arrival, .seed = job.seed, .pass = pass};
  const double begin = MPI_Wtime();
  std::vector<Times> mine;
  do {
    for (std::size_t i = 0; i < Repetitions::least; ++i) {
      const auto repetition = mine.size();
      mine.push_back(perform_late(job.operation, buffers, communicator, size_b,
                                  static_cast<int>(repetition) % ranks,
                                  lateness.of(repetition, rank)));
    }
  } while (goes_on(!repetitions.enough(mine.size(), MPI_Wtime() - begin), job.ranks));
  return summary(lateness, mine, communicator);
}

CellTime time_copy(const Job& job, int threads, int size_b) {
  constexpr std::size_t most = 400;
  const double begin = MPI_Wtime();
  const auto times =
      time_copies(threads, static_cast<std::size_t>(size_b), job.ranks, [&](std::size_t count) {
        return goes_on(MPI_Wtime() - begin < job.cell_s && count < most, job.ranks);
      });
  CellTime time = summary({}, times, job.ranks);
  time.inside_s = time.seconds;
  return time;
}

} // namespace hypermile::tune
