#include "report/job_outcome.hpp"

#include "report/power_cap.hpp"
#include "runtime/rank_list.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hypermile::report {
namespace {

using runtime::RankReport;
using runtime::RunReport;

std::string no_choice(const RunReport& run) {
  const auto no_loop = [](const RankReport& rank) {
    return rank.loop.found == runtime::LoopReport::Found::nothing;
  };
  if (std::ranges::any_of(run.ranks, no_loop))
    return ""; // which is told where the loop is
  if (run.without_loop.empty() || run.without_loop.size() == run.ranks.size())
    return "No gears were chosen: the program ended before its loop had repeated for long enough.";
  return fmt::format("No gears were chosen: the program ended before the loop of {} had repeated "
                     "for long enough.",
                     runtime::rank_list(run.without_loop));
}

std::string too_late(const RunReport& run, const Leaders& leaders) {
  const auto missed = std::ranges::count_if(leaders.all(), [&](const RankReport* leader) {
    return leader->changes.size() < run.decisions.size();
  });
  if (missed == 0)
    return "";
  return fmt::format("The program ended before the last choice had reached {} of {} node{}.",
                     missed, leaders.all().size(), leaders.all().size() == 1 ? "" : "s");
}

} // namespace

std::string course_of_plan(const RunReport& run) {
  for (const RankReport& rank : run.ranks)
    if (!rank.departed.empty())
      return fmt::format("Rank {} did something else than then: {}; {}", rank.rank, rank.departed,
                         run.decisions.empty()
                             ? "it ended before gears could be chosen anew"
                             : "from then on gears were chosen while the program ran");
  return "The run went as expected";
}

std::string outcome_of(const Job& job, const JobSummary& summary) {
  const RunReport& run = job.run;
  if (job.settings.method == "none" || job.settings.method == "fixed" || run.ranks.empty())
    return "";
  if (!summary.gears_known)
    return "The nodes' frequencies are unknown, so no gears could be chosen. A platform file "
           "(--platform) can state them.";
  if (run.decisions.empty())
    return run.plan ? "" : no_choice(run);
  std::string late = too_late(run, Leaders(run));
  const runtime::Decision& last = run.decisions.back();
  if (!late.empty())
    return late;
  if (!last.declined.empty())
    return fmt::format("All nodes {} gear 0: {}.",
                       summary.gears_in_effect ? "were put back to" : "stay in", last.declined);
  if (std::string given = given_up(run); !given.empty())
    return given;
  if (!last.stepped_back.empty())
    return fmt::format("The last choice kept the gears of an earlier one: {}.", last.stepped_back);
  return "";
}

} // namespace hypermile::report
