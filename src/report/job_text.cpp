#include "report/job_text.hpp"

#include "report/loop_text.hpp"
#include "report/wrapped.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace hypermile::report {
namespace {

using Out = std::back_insert_iterator<std::string>;

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void print_heading(Out out, const Job& job, const JobSummary& s) {
  const std::string on =
      fmt::format("{} on {}", counted(job.run.ranks.size(), "rank"),
                  s.emulated ? counted(s.nodes, "emulated node") : counted(s.nodes, "node"));
  if (!job.command.empty())
    fmt::format_to(out, "{}", wrapped(fmt::format("hypermile: {}", job.command)));
  if (s.emulated)
    fmt::format_to(out, "{}",
                   wrapped(fmt::format("{} of platform {}: the program's computation was stretched "
                                       "to what it takes there; nothing below is of real nodes",
                                       on, job.settings.platform)));
  else
    fmt::format_to(out, "{}\n", on);
}

std::string table_name(const JobSummary& s) {
  return s.power_assumed ? "assumed: no platform tells what the nodes draw; only ratios mean "
                           "something"
                         : "estimated from the platform's power tables";
}

void print_totals(Out out, const Job& job, const JobSummary& s) {
  fmt::format_to(out, "time      {:.3f} s\n", s.time.value());
  if (s.measured_energy)
    fmt::format_to(out, "energy    {:.2f} J (measured: {})\n", s.measured_energy->value(),
                   fmt::join(s.meters, "; "));
  if (job.external)
    fmt::format_to(out, "energy    {:.2f} J (measured: {}, whose samples cover {:.0f} % of it)\n",
                   job.external->energy.value(), job.external->source,
                   100 * job.external->coverage);
  if (s.table_energy)
    fmt::format_to(out, "energy    {:.2f} J ({})\n", s.table_energy->value(), table_name(s));
  if (job.baseline)
    fmt::format_to(out, "in gear 0 {:.3f} s{}\n", s.baseline_time.value(),
                   s.baseline_energy ? fmt::format(", {:.2f} J", s.baseline_energy->value()) : "");
  if (!s.measured_energy && !s.table_energy && !job.external)
    fmt::format_to(out, "energy    unknown\n");
}

std::string percent(double ratio) { return fmt::format("{:+.2f} %", 100 * (ratio - 1)); }

void print_ratio(Out out, const char* name, const Ratio& ratio, const char* basis) {
  fmt::format_to(out, "{:<10}{:>10}{:>12}  {}\n", name, percent(ratio.time), percent(ratio.energy),
                 basis);
}

void print_ratios(Out out, const JobSummary& s) {
  if (!s.predicted && !s.against_baseline)
    return;
  fmt::format_to(out, "\n{:<10}{:>10}{:>12}  {}\n", "", "time", "energy", "against gear 0");
  if (s.predicted)
    print_ratio(out, "predicted", *s.predicted,
                s.gears_in_effect ? "per iteration, of the last choice"
                                  : "per iteration, had the gears been set");
  if (s.measured)
    print_ratio(out, "measured", *s.measured, "per iteration (energy by power tables)");
  if (s.whole_run)
    print_ratio(out, "whole run", *s.whole_run,
                s.against_baseline ? "as the model has it" : "estimated: it was not run in gear 0");
  if (s.against_baseline)
    print_ratio(out, "whole run", *s.against_baseline, "measured, against the run in gear 0");
}

/// Gears that nodes would have had, by type.
std::string wished_gears(const Job& job) {
  const auto& decision = job.run.decisions.back();
  std::vector<runtime::RankReport> ranks = job.run.ranks;
  for (auto& rank : ranks) {
    const auto node = std::ranges::find(decision.nodes, rank.node.name);
    if (node != decision.nodes.end())
      rank.gear = decision.gears[static_cast<std::size_t>(node - decision.nodes.begin())];
  }
  return gears_text(ranks);
}

void print_gears(Out out, const Job& job, const JobSummary& s) {
  if (s.gears_in_effect)
    fmt::format_to(out, "\nGears at the end (nodes x frequency)\n{}", gears_text(job.run.ranks));
  else if (s.predicted)
    fmt::format_to(out, "\nGears that would have been set (nodes x frequency)\n{}",
                   wished_gears(job));
  if (job.run.decisions.empty())
    return;
  const auto& last = job.run.decisions.back();
  if (!last.declined.empty())
    fmt::format_to(out, "\n{}",
                   wrapped(fmt::format("All nodes stay in gear 0: {}.", last.declined)));
}

void print_overhead(Out out, const JobSummary& s) {
  fmt::format_to(out, "\n{}",
                 wrapped(fmt::format("hypermile itself took {:.2g} ms ({:.2g} % of the time) for "
                                     "choices and messages, and about {:.2g} ms in MPI calls "
                                     "(estimated).",
                                     1e3 * s.overhead.value(), 100 * (s.overhead / s.time),
                                     1e3 * s.wrapping.value())));
}

} // namespace

std::string job_text(const Job& job) {
  const JobSummary summary = summarize(job);
  std::string text;
  Out out{text};
  print_heading(out, job, summary);
  print_totals(out, job, summary);
  text += loop_text(job.run.ranks);
  print_ratios(out, summary);
  print_gears(out, job, summary);
  print_overhead(out, summary);
  for (const std::string& remark : summary.remarks)
    text += wrapped(remark);
  return text;
}

} // namespace hypermile::report
