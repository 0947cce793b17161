#include "report/job_text.hpp"

#include "report/job_outcome.hpp"
#include "report/learnt_power.hpp"
#include "report/loop_text.hpp"
#include "report/phases.hpp"
#include "report/sensitivity.hpp"
#include "report/verdict.hpp"
#include "report/wait_gear.hpp"
#include "runtime/decide/gear0_ratio.hpp"
#include "runtime/decide/time_model.hpp"
#include "runtime/rank_list.hpp"
#include "units/wrapped.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <vector>

namespace hypermile::report {
namespace {

using runtime::RankReport;
using runtime::RunReport;

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string heading(const Job& job, const JobSummary& s) {
  std::string text;
  if (!job.command.empty())
    text += wrapped(fmt::format("hypermile: {}", job.command));
  const std::string on = fmt::format("{} on {}", counted(job.run.ranks.size(), "rank"),
                                     counted(s.nodes, s.emulated ? "emulated node" : "node"));
  if (!s.emulated)
    return text + on + "\n";
  const std::string platform = std::filesystem::path(job.settings.platform).stem();
  return text +
         wrapped(fmt::format("{} of platform {}: computation was stretched to the time that it "
                             "takes there; the figures below are not those of real nodes",
                             on, platform));
}

/// Joules by tables of which nobody has said that they are the nodes'.
bool means_nothing(const JobSummary& s) {
  return s.power_assumed && (s.assumed.empty() || is_generic(s));
}

std::string energy_of_run(const Job& job, const JobSummary& s) {
  std::string text;
  const auto add = [&](Joules energy, const std::string& basis) {
    text += labelled("energy", fmt::format("{:.2f} J ({})", energy.value(), basis));
  };
  if (s.measured_energy)
    add(*s.measured_energy, fmt::format("measured: {}", fmt::join(s.meters, "; ")));
  if (job.external)
    add(job.external->energy, fmt::format("measured: {}, whose samples cover {:.0f} % of the time",
                                          job.external->source, 100 * job.external->coverage));
  if (s.table_energy && !means_nothing(s))
    add(*s.table_energy,
        fmt::format("estimated from {}{}{}",
                    s.power_learnt ? "the power that was learnt" : "the platform's power tables",
                    s.assumed.empty() ? "" : "; ", assumed_text(s)));
  if (!text.empty() || job.settings.meter == "none")
    return text;
  if (!s.table_energy)
    return labelled("energy", "unknown");
  return labelled("energy",
                  fmt::format("not measured; the nodes' power is assumed{}, so only ratios are "
                              "meaningful",
                              is_generic(s) ? " (assumed: generic)" : ""));
}

std::string totals(const Job& job, const JobSummary& s) {
  std::string text = labelled("time", fmt::format("{:.3f} s", s.time.value()));
  text += energy_of_run(job, s);
  if (!job.baseline)
    return text;
  const bool shows = s.baseline_basis != EnergyBasis::tables || !means_nothing(s);
  const std::string energy =
      s.baseline_energy && shows ? fmt::format(", {:.2f} J", s.baseline_energy->value()) : "";
  return text + labelled("in gear 0", fmt::format("{:.3f} s{}", s.baseline_time.value(), energy));
}

std::string percent(double ratio) { return fmt::format("{:+.2f} %", 100 * (ratio - 1)); }

std::string ratio_line(const char* name, const Ratio& ratio, const std::string& basis) {
  return fmt::format("{:<10}{:>10}{:>12}  {}\n", name, percent(ratio.time),
                     ratio.energy ? percent(*ratio.energy) : "unknown", basis);
}

std::string prediction_basis(const Job& job, const JobSummary& s) {
  if (s.gears_in_effect && runtime::is_uncoupled(job.run))
    return "per iteration of each cluster, for the last gears other than 0";
  if (!s.gears_in_effect)
    return is_generic(s) ? "per iteration, if set; assumed: generic"
                         : "per iteration, had the gears been set";
  if (!s.all_in_effect)
    return "per iteration, had all gears been set";
  return runtime::sets_a_gear(job.run.decisions.back())
             ? "per iteration, for the last choice"
             : "per iteration, for the last gears other than 0";
}

std::string ratios(const Job& job, const JobSummary& s) {
  if (!s.predicted && !s.against_baseline && !s.planned)
    return "";
  std::string text =
      fmt::format("\n{:<10}{:>10}{:>12}  {}\n", "", "time", "energy", "against gear 0");
  if (s.planned)
    text += ratio_line("planned", *s.planned, "whole run, predicted from earlier ones");
  if (s.predicted && !s.against_baseline)
    text += ratio_line("predicted", *s.predicted, prediction_basis(job, s));
  if (s.measured)
    text += ratio_line("measured", *s.measured,
                       "per iteration" + energy_by(*s.measured, EnergyBasis::tables, s));
  if (s.whole_run)
    text += ratio_line("whole run", *s.whole_run, "estimated, choice by choice");
  if (s.against_baseline)
    text += ratio_line("whole run", *s.against_baseline,
                       (s.contended
                            ? "measured; other programs had the cores"
                            : "measured" + energy_by(*s.against_baseline, s.baseline_basis, s)));
  return text;
}

bool has_loop(const runtime::RunReport& run) {
  return std::ranges::none_of(run.ranks, [](const RankReport& rank) {
    return rank.loop.found == runtime::LoopReport::Found::nothing;
  });
}

/// What the run began in, and what became of that; and what it taught.
std::string learning(const Job& job) {
  std::string text;
  if (const auto& plan = job.run.plan)
    text += wrapped(fmt::format("The run began with the gears that were planned from {} in {}. {}.",
                                counted(plan->runs, "run"), plan->origin, course_of_plan(job.run)));
  for (const std::string& remark : job.run.learnt)
    text += wrapped(remark);
  if (text.empty() && job.settings.method == "exact" && !has_loop(job.run))
    text = wrapped("With --learn FOLDER, the next run of this job can begin with planned gears, "
                   "which need no loop.");
  return text.empty() ? "" : "\n" + text;
}

/// Every node, as it was at the end, or as it would have been after a choice.
std::vector<RankReport> nodes_of(const Job& job, const runtime::Decision* choice = nullptr) {
  const Leaders leaders(job.run);
  std::vector<RankReport> nodes;
  for (const RankReport* leader : leaders.all()) {
    nodes.push_back(*leader);
    if (choice == nullptr)
      continue;
    const auto node = std::ranges::find(choice->nodes, leader->node.name);
    if (node != choice->nodes.end())
      nodes.back().gear = choice->gears[static_cast<std::size_t>(node - choice->nodes.begin())];
  }
  return nodes;
}

std::string gears(const Job& job, const JobSummary& s) {
  if (s.gears_in_effect)
    return fmt::format("\nGears at the end (nodes x setting)\n{}", gears_text(nodes_of(job)));
  const runtime::Decision* const wanted = last_gears(job.run);
  if (wanted == nullptr)
    return "";
  return fmt::format("\nGears that would have been set (nodes x setting{})\n{}",
                     is_generic(s) ? "; assumed: generic" : "", gears_text(nodes_of(job, wanted)));
}

/// What other bounds would have given. The row of the present one is what was predicted.
std::string trade_offs(const Job& job, const JobSummary& s) {
  if (job.run.trade_offs.empty())
    return "";
  const std::string assumed = assumed_text(s);
  std::string text = fmt::format(
      "\nPredicted of an iteration under other bounds on slowdown{}{}{}\n{:<10}{:>10}"
      "{:>12}\n",
      assumed.empty() ? "" : " (", assumed, assumed.empty() ? "" : ")", "bound", "time", "energy");
  for (const runtime::TradeOff& row : job.run.trade_offs)
    text += fmt::format(
        "{:<10}{:>10}{:>12}{}\n",
        row.max_slowdown ? fmt::format("{:.3g} %", 100 * *row.max_slowdown) : "none",
        percent(row.time_ratio), percent(row.energy_ratio), row.in_force ? "  this run" : "");
  return text;
}

/// Where it is more than what every system takes for itself.
std::string others(const JobSummary& s) {
  constexpr double little = 0.02;
  const auto& taken = s.taken_by_others;
  if (!taken || (taken->of_all <= little && !taken->is_much()))
    return "";
  return wrapped(
      fmt::format("Other programs took {:.2g} % of the ranks' time on their cores (up to "
                  "{:.2g} % of one rank's).",
                  100 * taken->of_all, 100 * taken->of_rank));
}

std::string overhead(const JobSummary& s) {
  const std::string ends =
      s.at_ends > Seconds{} ? fmt::format(", {} in MPI_Init and MPI_Finalize", duration(s.at_ends))
                            : "";
  const std::string share =
      s.own_ratio < 2 ? fmt::format("{:.2g} %", 100 * (s.own_ratio - 1)) : std::string("most");
  return fmt::format("\n{}",
                     wrapped(fmt::format("hypermile itself cost {} of the time: {} for choices "
                                         "and messages{}, and {} in MPI calls.",
                                         share, duration(s.overhead), ends, duration(s.watching))));
}

/// Ranks that made so many calls that not all were watched.
std::string rests(const RunReport& run) {
  Seconds time;
  Seconds unwatched;
  std::vector<int> ranks;
  for (const RankReport& rank : run.ranks)
    if (rank.unwatched > Seconds{}) {
      ranks.push_back(rank.rank);
      time += rank.time;
      unwatched += rank.unwatched;
    }
  if (ranks.empty())
    return "";
  return wrapped(fmt::format("To keep that low, it watched {} for {:.2g} % of the time only.",
                             runtime::rank_list(ranks), 100 * (1 - unwatched / time)));
}

} // namespace

std::string job_text(const Job& job) {
  const JobSummary summary = summarize(job);
  std::string text;
  if (const std::string verdict = verdict_of(job, summary); !verdict.empty())
    text += wrapped(verdict);
  text += heading(job, summary) + totals(job, summary);
  if (!job.run.ranks.empty())
    text += loop_text(job.run.ranks, !job.run.decisions.empty());
  text += ratios(job, summary) + phases_text(job.run) + gears(job, summary);
  const std::string waits =
      wait_gear_text(job.run, means_nothing(summary) ? std::nullopt : summary.table_energy);
  if (!waits.empty())
    text += fmt::format("\n{}", waits);
  const std::string outcome = outcome_of(job, summary);
  if (!outcome.empty())
    text += fmt::format("\n{}", wrapped(outcome));
  if (const std::string reaction = sensitivity_text(job.run); !reaction.empty())
    text += wrapped(reaction);
  text += learning(job) + overhead(summary) + rests(job.run) + others(summary);
  if (!job.collective_rules.empty())
    text +=
        wrapped(fmt::format("the MPI library chose algorithms of collectives by the rules in {}",
                            job.collective_rules));
  for (const std::string& remark : summary.remarks)
    text += wrapped(remark);
  return text + trade_offs(job, summary) + learnt_power_text(job.run);
}

} // namespace hypermile::report
