#include "report/loop_text.hpp"

#include "model/setting.hpp"
#include "runtime/rank_list.hpp"
#include "units/wrapped.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <vector>

namespace hypermile::report {
namespace {

using runtime::LoopReport;
using runtime::RankReport;

/// "0.775", or "0.775..0.81" where the ranks' values differ as printed. There is at least one.
template <class Value>
std::string over_ranks(const std::vector<Value>& values, fmt::format_string<const Value&> print) {
  const auto [least, most] = std::ranges::minmax(values);
  const std::string first = fmt::format(print, least);
  const std::string last = fmt::format(print, most);
  return first == last ? first : first + ".." + last;
}

/// Some ranks have told rank 0 what they did meanwhile, or had a loop and lost it.
std::string no_last_loop_on(const std::vector<int>& ranks) {
  return fmt::format("No loop found on {} at the end of the program: the MPI calls there have not "
                     "repeated, or no longer repeat. Gears were chosen from what was known "
                     "until then.",
                     runtime::rank_list(ranks));
}

std::string no_loop_on(const std::vector<int>& ranks) {
  return fmt::format("No loop found on {}: no pattern of MPI calls repeats there for a large "
                     "enough part of the time. Without a loop no gears can be chosen. Call "
                     "hm_iteration() at the beginning of each iteration to mark the loop.",
                     runtime::rank_list(ranks));
}

/// How the loop was found, if on all ranks in the same way.
std::string found_by(const std::vector<RankReport>& ranks) {
  const auto marked = std::ranges::count_if(
      ranks, [](const RankReport& rank) { return rank.loop.found == LoopReport::Found::marker; });
  if (marked == 0)
    return "its repeating MPI calls";
  return static_cast<std::size_t>(marked) == ranks.size()
             ? "its marker hm_iteration()"
             : "its marker hm_iteration() or its repeating MPI calls, by rank";
}

/// In seconds: what is earlier than this begins at once.
constexpr double shortest_told = 0.001;

/// Ranks need not agree on the loop: differing values are printed as a span.
std::string loop_of(const std::vector<RankReport>& ranks) {
  std::vector<std::size_t> iterations;
  std::vector<double> begins;
  std::vector<double> shares;
  std::size_t most_phases = 1;
  for (const RankReport& rank : ranks) {
    iterations.push_back(rank.loop.iterations);
    const double begin = rank.loop.first_iteration.value();
    begins.push_back(begin < shortest_told ? 0 : begin);
    Seconds in_loops = rank.phases.empty() ? rank.loop.total : Seconds{};
    for (const LoopReport& phase : rank.phases)
      in_loops += phase.total;
    most_phases = std::max(most_phases, rank.phases.size());
    shares.push_back(rank.time > Seconds{} ? 100 * (in_loops / rank.time) : 0);
  }
  const std::string counts = over_ranks(iterations, "{}");
  const bool alike = std::ranges::minmax(iterations).min == std::ranges::minmax(iterations).max;
  return fmt::format("Loop{}: {} iterations{} from {} s on{}, {} % of the time; found by {}.",
                     most_phases > 1 ? " of the last phase" : "", counts,
                     alike ? "" : fmt::format(" by rank ({} on rank 0)", iterations.front()),
                     over_ranks(begins, "{:.3g}"),
                     most_phases > 1 ? fmt::format("; {} phases together", most_phases) : "",
                     over_ranks(shares, "{:.0f}"), found_by(ranks));
}

/// "2 x 2.3 GHz" for each gear that nodes of the type have.
std::string gears_of_type(const std::vector<RankReport>& ranks, const std::string& type_name) {
  std::map<std::size_t, std::map<std::string, const RankReport*>> by_gear;
  for (const RankReport& rank : ranks)
    if (rank.node.type.name == type_name)
      by_gear[rank.gear].emplace(rank.node.name, &rank);
  std::vector<std::string> texts;
  for (const auto& [gear, nodes] : by_gear) {
    const auto& type = nodes.begin()->second->node.type;
    texts.push_back(fmt::format("{} x {}", nodes.size(), model::setting_name(type, gear)));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

} // namespace

std::string loop_text(const std::vector<RankReport>& ranks, bool gears_were_chosen) {
  std::vector<int> without;
  for (const RankReport& rank : ranks)
    if (rank.loop.found == LoopReport::Found::nothing)
      without.push_back(rank.rank);
  if (!without.empty())
    return wrapped(gears_were_chosen ? no_last_loop_on(without) : no_loop_on(without));
  std::string text = wrapped(loop_of(ranks));
  const LoopReport& loop = ranks.front().loop;
  const bool alike = std::ranges::all_of(
      ranks, [&](const RankReport& rank) { return rank.loop.description == loop.description; });
  if (loop.found == LoopReport::Found::pattern)
    text +=
        wrapped(fmt::format("One iteration{}: {}.", alike ? "" : " on rank 0", loop.description));
  return text;
}

std::string iterations_text(const runtime::RunReport& run) {
  std::vector<std::size_t> iterations;
  for (const runtime::RankReport& rank : run.ranks)
    iterations.push_back(rank.loop.iterations);
  if (iterations.empty() || std::ranges::find(iterations, std::size_t{0}) != iterations.end())
    return "";
  const auto [least, most] = std::ranges::minmax(iterations);
  return least == most ? fmt::format("{} iterations", most)
                       : fmt::format("{} to {} iterations", least, most);
}

std::string gears_text(const std::vector<RankReport>& ranks) {
  std::vector<std::string> types;
  for (const RankReport& rank : ranks)
    if (std::ranges::find(types, rank.node.type.name) == types.end())
      types.push_back(rank.node.type.name);
  std::string text;
  for (const std::string& type : types)
    text += fmt::format("  {:<11}{}\n", type, gears_of_type(ranks, type));
  return text;
}

} // namespace hypermile::report
