#include "replay/recorded_run.hpp"

#include "runtime/pmpi/functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>

namespace hypermile::replay {
namespace {

using model::Action;
using model::Operation;

constexpr std::uint64_t largest_message = std::numeric_limits<int>::max(); // as MPI counts bytes

bool is_message(const Operation& operation) {
  return operation.action == Action::send || operation.action == Action::receive;
}

/// Calls that have no arguments of their own to repeat: a barrier stands for what it waits for.
bool is_on_window_or_file(const std::string& function) {
  return function.starts_with("Win_") || function.starts_with("File_");
}

bool polls(const std::string& function) {
  const auto known = runtime::pmpi::function_named(function);
  return known && kind(*known) == runtime::pmpi::Kind::poll;
}

/// How many events do such a thing.
std::size_t count(const RecordedRun& run,
                  const std::function<bool(const Operation&, const std::string&)>& does) {
  std::size_t events = 0;
  for (const model::RankTimeline& rank : run.timeline.ranks) {
    std::vector<bool> meant;
    for (const Operation& operation : rank.operations)
      meant.push_back(does(operation, run.timeline.functions[operation.function]));
    events += static_cast<std::size_t>(std::ranges::count_if(
        rank.events, [&](const model::Event& event) { return meant[event.operation]; }));
  }
  return events;
}

bool is_made_otherwise(const std::string& function) {
  constexpr std::array same{"Comm_dup", "Comm_split", "Comm_create", "Comm_create_group",
                            "Cart_create"};
  const bool makes = function.starts_with("Comm_") || function.starts_with("Cart_") ||
                     function.starts_with("Graph_") || function.starts_with("Dist_graph_");
  return makes && std::ranges::find(same, function) == same.end();
}

} // namespace

std::string why_not_repeatable(const RecordedRun& run) {
  for (std::size_t r = 0; r < run.timeline.ranks.size(); ++r) {
    const model::RankTimeline& rank = run.timeline.ranks[r];
    if (!rank.incomplete.empty())
      return fmt::format("rank {}: {}", r, rank.incomplete);
    for (const Operation& operation : rank.operations) {
      const std::string& function = run.timeline.functions[operation.function];
      if (is_message(operation) && operation.bytes > largest_message)
        return fmt::format("rank {}: a message of MPI_{} has 2 GiB or more", r, function);
      if (operation.action == Action::arrive && operation.arguments == 0 &&
          !is_on_window_or_file(function))
        return fmt::format("rank {}: the arguments of MPI_{} cannot be recorded", r, function);
    }
  }
  return "";
}

std::vector<std::string> remarks(const RecordedRun& run) {
  std::vector<std::string> remarks;
  const auto remark = [&](std::size_t events, const std::string& what) {
    if (events > 0)
      remarks.push_back(fmt::format("{} {}", events, what));
  };
  remark(count(run, [](const Operation& o, const std::string&) { return o.from_any; }),
         "messages were taken from whoever came first; replay takes the same ones from the same "
         "ranks, whoever would come first there");
  remark(count(run,
               [](const Operation& o, const std::string& function) {
                 return o.action == Action::other && polls(function);
               }),
         "times a rank asked in vain whether something had come; replay waits for it instead");
  remark(count(run,
               [](const Operation& o, const std::string& function) {
                 return o.action == Action::complete &&
                        (function == "Waitany" || function == "Waitsome");
               }),
         "times a rank waited for any of several; replay waits for the one that came first in the "
         "run, whichever would there");
  remark(count(run,
               [](const Operation& o, const std::string& function) {
                 return o.action == Action::arrive && is_made_otherwise(function);
               }),
         "communicators were made in a way for which replay takes MPI_Comm_split");
  remark(count(run,
               [](const Operation& o, const std::string& function) {
                 return o.action == Action::arrive && is_on_window_or_file(function);
               }),
         "collective calls on windows or files are barriers in a replay; what they move is left "
         "out");
  return remarks;
}

} // namespace hypermile::replay
