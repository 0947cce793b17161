#include "simulate/rank_states.hpp"

#include "runtime/rank_list.hpp"

#include "runtime/pmpi/functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace hypermile::simulate {
namespace {

using runtime::RankStatus;
using runtime::pmpi::Function;

/// Ranks that are in the same place.
struct Group {
  std::uint32_t state;
  bool in_mpi;
  Function function;
  std::vector<int> ranks;
  double first_s, last_s; ///< when they came there
  std::uint64_t least_iterations, most_iterations;
};

Group group_of(int index, const RankStatus& rank) {
  const double time = rank.time_s.load();
  const std::uint64_t iterations = rank.iterations.load();
  return {.state = rank.state.load(),
          .in_mpi = rank.in_mpi.load() != 0,
          .function = static_cast<Function>(rank.function.load()),
          .ranks = {index},
          .first_s = time,
          .last_s = time,
          .least_iterations = iterations,
          .most_iterations = iterations};
}

void join(Group& group, const Group& other) {
  group.ranks.insert(group.ranks.end(), other.ranks.begin(), other.ranks.end());
  group.first_s = std::min(group.first_s, other.first_s);
  group.last_s = std::max(group.last_s, other.last_s);
  group.least_iterations = std::min(group.least_iterations, other.least_iterations);
  group.most_iterations = std::max(group.most_iterations, other.most_iterations);
}

std::vector<Group> unfinished(const runtime::StatusFile& status) {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < status.ranks(); ++i) {
    const Group own = group_of(static_cast<int>(i), status.rank(i));
    if (own.state == RankStatus::finalized)
      continue;
    const auto same = std::ranges::find_if(groups, [&](const Group& group) {
      return group.state == own.state && group.in_mpi == own.in_mpi &&
             group.function == own.function;
    });
    if (same == groups.end())
      groups.push_back(own);
    else
      join(*same, own);
  }
  return groups;
}

/// "at 0.5 s, iteration 7"; no iteration where no loop was found yet.
std::string moment(const Group& group) {
  const std::string first = fmt::format("{:.6f}", group.first_s);
  const std::string last = fmt::format("{:.6f}", group.last_s);
  std::string text = (first == last ? first : first + " to " + last) + " s";
  if (group.most_iterations == 0)
    return text;
  return group.least_iterations == group.most_iterations
             ? fmt::format("{}, iteration {}", text, group.most_iterations)
             : fmt::format("{}, iterations {} to {}", text, group.least_iterations,
                           group.most_iterations);
}

/// What a rank was doing, in singular and plural.
struct Verb {
  const char* one;
  const char* several;
  const char* when = "at";
};

Verb verb(const Group& group, Ending ending) {
  if (group.state == RankStatus::aborted)
    return {"called MPI_Abort after", "called MPI_Abort after"};
  if (group.in_mpi && group.function == Function::Finalize)
    return {"has reached", "have reached"};
  if (group.in_mpi)
    return ending == Ending::over ? Verb{"waits in", "wait in", "since"} : Verb{"is in", "are in"};
  if (group.state == RankStatus::exited || ending == Ending::over)
    return {"ended without MPI_Finalize after", "ended without MPI_Finalize after"};
  return {"ran on after", "ran on after"};
}

std::string print(const Group& group, Ending ending) {
  const std::string ranks = runtime::rank_list(group.ranks);
  const bool one = group.ranks.size() == 1;
  if (group.state == RankStatus::not_started)
    return fmt::format("{} {} not called MPI_Init", ranks, one ? "has" : "have");
  const Verb did = verb(group, ending);
  return fmt::format("{} {} MPI_{} {} {}", ranks, one ? did.one : did.several,
                     runtime::pmpi::name(group.function), did.when, moment(group));
}

} // namespace

std::string rank_states(const runtime::StatusFile& status, Ending ending) {
  constexpr std::size_t most = 8;
  const auto groups = unfinished(status);
  std::string text;
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (i < most)
      text += "\n  " + print(groups[i], ending);
    else
      left_out += groups[i].ranks.size();
  return left_out == 0 ? text : fmt::format("{}\n  and {} more", text, left_out);
}

std::string rank_state(std::size_t rank, const runtime::StatusFile& status) {
  return print(group_of(static_cast<int>(rank), status.rank(rank)), Ending::cut_off);
}

} // namespace hypermile::simulate
