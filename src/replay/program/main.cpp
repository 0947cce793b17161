// hypermile-replay FILE: an MPI program for SMPI that does what the ranks of a recorded run did.
// `hypermile simulate --replay` starts it. All ranks are threads of control of one process, so that
// what they read is there once.

#include "replay/program/rank_replay.hpp"
#include "units/error.hpp"

#include <smpi/smpi.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <optional>
#include <string>

namespace {

using namespace hypermile;

/// Bytes of the largest buffer that any call wants.
std::size_t largest_message(const replay::RecordedRun& run) {
  std::uint64_t largest = 1;
  for (const model::RankTimeline& rank : run.timeline.ranks) {
    for (const model::Operation& operation : rank.operations) {
      largest = std::max(largest, operation.bytes);
      if (operation.arguments == 0)
        continue;
      const model::Arguments& arguments = rank.arguments[operation.arguments - 1];
      for (const auto& blocks : {arguments.out, arguments.in}) {
        const std::uint64_t each = blocks.counts.size() == 1 ? operation.members : 1;
        largest = std::max(
            largest, std::accumulate(blocks.counts.begin(), blocks.counts.end(), std::uint64_t{0}) *
                         blocks.element * std::max<std::uint64_t>(each, 1));
      }
    }
  }
  return largest;
}

/// The same for all ranks: SMPI does not copy what it knows to be shared.
replay::Buffers buffers_for(const replay::RecordedRun& run) {
  const std::size_t size = largest_message(run);
  return {.out = SMPI_SHARED_MALLOC(size), .in = SMPI_SHARED_MALLOC(size)};
}

/// `speed`: of a core where nobody knew it, in the platform's unit.
replay::RecordedRun read(const std::string& file, std::optional<double> speed) {
  replay::RecordedRun run = replay::read_recorded_run(file);
  for (std::size_t rank = 0; speed && rank < run.timeline.ranks.size(); ++rank)
    for (Work& work : run.timeline.ranks[rank].work)
      work = Work{std::round(work.value() * *speed / run.speeds[rank].value())};
  return run;
}

const replay::RecordedRun& run_in(const std::string& file, std::optional<double> speed, int ranks) {
  static const replay::RecordedRun run = read(file, speed);
  if (const std::string why = replay::why_not_repeatable(run); !why.empty())
    throw Error(ErrorKind::config, fmt::format("{}: {}", file, why));
  if (run.timeline.ranks.size() != static_cast<std::size_t>(ranks))
    throw Error(ErrorKind::config,
                fmt::format("{} is of {} ranks, not {}", file, run.timeline.ranks.size(), ranks),
                fmt::format("-n {}", run.timeline.ranks.size()));
  return run;
}

int play(const std::string& file, std::optional<double> speed) {
  int rank = 0;
  int ranks = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  try {
    const replay::RecordedRun& run = run_in(file, speed, ranks);
    static const replay::Buffers buffers = buffers_for(run);
    replay::RankReplay(run, rank, buffers, replay::find_hooks()).play();
    return 0;
  } catch (const std::exception& error) { // of a run that makes no sense among its ranks, too
    fmt::print(stderr, "hypermile-replay: error: {}\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
    return 1;
  }
}

} // namespace

__attribute__((visibility("default"))) int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 2 && argc != 3) {
    std::fputs(
        "hypermile-replay: error: usage: hypermile-replay FILE [SPEED], started by 'hypermile "
        "simulate --replay FILE'\n",
        stderr);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const int code =
      play(argv[1], argc == 3 ? std::optional(std::strtod(argv[2], nullptr)) : std::nullopt);
  MPI_Finalize();
  return code;
}
