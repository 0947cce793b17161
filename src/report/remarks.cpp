#include "report/remarks.hpp"

#include "report/loop_text.hpp"
#include "runtime/decide/gear0_ratio.hpp"
#include "runtime/decide/time_model.hpp"
#include "units/wrapped.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace hypermile::report {
namespace {

using runtime::RankReport;
using simulate::SimulatedRun;

/// Whether a choice has reached every rank before the program ended.
bool took_effect(std::size_t decision, const runtime::RunReport& report) {
  return std::ranges::all_of(
      report.ranks, [=](const RankReport& rank) { return decision < rank.changes.size(); });
}

/// Of a run that ended with all nodes in gear 0 on purpose: how they came there, and why.
std::string all_in_gear0(const runtime::RunReport& report) {
  const auto& decisions = report.decisions;
  std::size_t first = decisions.size(); // of the last choices, which all declined
  while (first > 0 && !decisions[first - 1].declined.empty())
    --first;
  if (first == decisions.size())
    return "";
  const std::string& why = decisions.back().declined; // the reason that holds to the end
  if (first == 0 || !runtime::sets_a_gear(decisions[first - 1]))
    return fmt::format("all nodes were left in gear 0: {}.", why);
  if (!took_effect(first, report))
    return fmt::format("all nodes were to be put back to gear 0, but the program ended before all "
                       "ranks had received the order: {}.",
                       why);
  return fmt::format("all nodes were put back to gear 0: {}.", why);
}

std::string from_like_calls(const runtime::RunReport& report) {
  std::size_t stand_ins = 0;
  std::size_t calls = 0;
  for (const RankReport& rank : report.ranks) {
    stand_ins += rank.from_like_calls;
    calls += rank.calls;
  }
  if (stand_ins == 0)
    return "";
  return fmt::format(
      "the program's course depends on timing: {} of {} MPI calls were not next in the "
      "recording, and the computation before them is what others like them had.",
      stand_ins, calls);
}

/// Of a program whose clusters do not wait for each other.
std::string unknown_iterations(const runtime::RunReport& report,
                               const runtime::RunReport& unscaled) {
  if (!runtime::is_uncoupled(report))
    return "";
  const std::string now = iterations_text(report);
  const std::string then = iterations_text(unscaled);
  return fmt::format("gears were chosen for an iteration of each cluster. How many iterations the "
                     "program needs depends on the gears and was not known, so nothing is "
                     "predicted of the whole run.{}",
                     now.empty() || then.empty()
                         ? ""
                         : fmt::format(" Ranks did {}; in the unscaled run {}.", now, then));
}

std::string not_in_the_recording(const runtime::RunReport& report) {
  std::size_t divergences = 0;
  for (const RankReport& rank : report.ranks)
    divergences += rank.divergences;
  if (divergences == 0)
    return "";
  return fmt::format("{} MPI calls were not in the recording; the computation before them was "
                     "measured, so this run does not repeat exactly.",
                     divergences);
}

} // namespace

std::string remarks_on(const SimulatedRun& run, const SimulatedRun& unscaled) {
  std::vector<std::string> remarks;
  for (const RankReport& rank : run.report.ranks)
    if (!rank.failure.empty())
      remarks.push_back(fmt::format("rank {}: {}", rank.rank, rank.failure));
  remarks.push_back(unknown_iterations(run.report, unscaled.report));
  const auto is_limited = [](const RankReport& rank) { return rank.fastest > 0; };
  if (!run.report.decisions.empty() && !run.expected && !runtime::is_uncoupled(run.report) &&
      std::ranges::none_of(run.report.ranks, is_limited))
    remarks.emplace_back("gears were chosen, but the program ended before all ranks had received "
                         "them, so nothing is predicted.");
  remarks.push_back(misprediction(run, unscaled));
  remarks.push_back(not_in_the_recording(run.report));
  remarks.push_back(from_like_calls(run.report));
  remarks.push_back(all_in_gear0(run.report));
  std::string text;
  for (const std::string& remark : remarks)
    if (!remark.empty())
      text +=
          fmt::format("\n{}", wrapped(fmt::format("{}: {}", simulate::shown(run.method), remark)));
  return text;
}

} // namespace hypermile::report
