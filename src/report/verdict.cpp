#include "report/verdict.hpp"

#include "report/power_cap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hypermile::report {
namespace {

/// In percent: what is printed as 0.0 is nothing.
constexpr double nothing = 0.05;

double percent_more(double ratio) { return 100 * (ratio - 1); }

std::string time_text(double ratio) {
  const double more = percent_more(ratio);
  if (std::abs(more) < nothing)
    return "no more time";
  return fmt::format("{:.1f} % {} time", std::abs(more), more > 0 ? "more" : "less");
}

std::string energy_text(double ratio) {
  const double more = percent_more(ratio);
  if (std::abs(more) < nothing)
    return "no less energy";
  return fmt::format("{:.1f} % {} energy", std::abs(more), more > 0 ? "more" : "less");
}

/// The whole run, by the best that is known of it.
struct Whole {
  Ratio ratio;
  std::string how; ///< it is known
};

std::string energy_basis(const Ratio& ratio, EnergyBasis basis, const JobSummary& s) {
  return ratio.energy ? energy_by(ratio, basis, s) : "; energy is not known";
}

/// Why the run in gear 0 does not show what the gears did; empty if it does.
std::string incomparable(const JobSummary& s) {
  if (s.against_baseline->time < believable_time_ratio)
    return "; the run in gear 0 took longer, which gears cannot explain";
  return s.contended ? "; other programs had the cores in this run or the one in gear 0" : "";
}

std::optional<Whole> whole_run(const JobSummary& s) {
  const std::string why = s.against_baseline ? incomparable(s) : "";
  if (s.against_baseline && (why.empty() || (!s.whole_run && !s.contended)))
    return Whole{*s.against_baseline, "measured against the run in gear 0" +
                                          energy_basis(*s.against_baseline, s.baseline_basis, s)};
  if (s.whole_run)
    return Whole{*s.whole_run,
                 std::string(s.measured ? "estimated from measured iterations"
                                        : "estimated; no iterations could be compared") +
                     energy_basis(*s.whole_run, EnergyBasis::tables, s) + why};
  return std::nullopt;
}

/// By how much the bound was missed, in points; none where there is none.
std::optional<double> excess(const Job& job, const Ratio& ratio) {
  const auto& bound = job.settings.max_slowdown;
  return bound ? std::optional(percent_more(ratio.time) - 100 * *bound) : std::nullopt;
}

std::string bound_text(const Job& job, const Ratio& ratio) {
  const auto missed_by = excess(job, ratio);
  if (!missed_by)
    return "";
  const std::string bound = fmt::format("the bound of {:.3g} %", 100 * *job.settings.max_slowdown);
  return *missed_by < nothing ? fmt::format("; {} was kept", bound)
                              : fmt::format("; {} was missed by {:.1f} points", bound, *missed_by);
}

std::string caps_text(const std::vector<CapOutcome>& caps) {
  std::string text;
  for (const CapOutcome& cap : caps)
    text += fmt::format("; {}", cap_text(cap));
  return text;
}

/// Caps on power are kept whatever that costs, also of a bound beside them.
bool missed(const std::vector<CapOutcome>& caps) {
  return std::ranges::any_of(caps,
                             [](const CapOutcome& cap) { return !cap.kept().value_or(true); });
}

/// A bound that was missed is a failure, and so are gears that save nothing; or, where the distance
/// of the two counts, no more energy than they cost time. Under a cap on power only that counts,
/// and the bound as far as the cap leaves it.
bool has_failed(const Job& job, const Ratio& ratio, const std::vector<CapOutcome>& caps) {
  if (!caps.empty())
    return missed(caps) || (excess(job, ratio).value_or(0) >= nothing && given_up(job.run).empty());
  const double cost = percent_more(ratio.time);
  const double saved = ratio.energy ? -percent_more(*ratio.energy) : 0;
  return excess(job, ratio).value_or(0) >= nothing ||
         (ratio.energy &&
          (saved < nothing || (job.settings.objective == "maxdist" && saved <= cost)));
}

std::string in_effect(const Job& job, const JobSummary& s) {
  const auto whole = whole_run(s);
  const auto caps = caps_of(job, s);
  if (!whole)
    return fmt::format("{}Gears were set; what that came to is not known{}.",
                       missed(caps) ? "Failure: " : "", caps_text(caps));
  const Ratio& ratio = whole->ratio;
  const std::string time = time_text(ratio.time);
  const std::string what =
      !ratio.energy ? time
      : percent_more(*ratio.energy) <= -nothing
          ? fmt::format("saved {:.1f} % of the energy for {}", -percent_more(*ratio.energy), time)
          : fmt::format("{}, {}", energy_text(*ratio.energy), time);
  return fmt::format("{}: {} ({}){}{}.", has_failed(job, ratio, caps) ? "Failure" : "Success", what,
                     whole->how, bound_text(job, ratio), caps_text(caps));
}

/// What the program took alone, if that is over before gears could be chosen: then what hypermile
/// takes of any program is many times as much, and no bound was meant for that.
std::optional<Seconds> over_at_once(const JobSummary& s) {
  constexpr Seconds at_once{0.1};
  constexpr Seconds anyway{0.05};
  const Seconds program = (s.time + s.at_ends) / s.own_ratio;
  const Seconds own = s.time + s.at_ends - program;
  return own > Seconds{} && own < anyway && program < at_once ? std::optional(program)
                                                              : std::nullopt;
}

/// Where no gears were set: what it cost to look for some.
std::string own_text(const Job& job, const JobSummary& s) {
  if (const auto program = over_at_once(s))
    return fmt::format("; the program was over after {}, and hypermile itself took {}",
                       duration(*program), duration(s.time + s.at_ends - *program));
  if (percent_more(s.own_ratio) < nothing)
    return "";
  const Ratio own{s.own_ratio, std::nullopt};
  return fmt::format("; hypermile itself cost {:.1f} % of the time{}", percent_more(s.own_ratio),
                     excess(job, own).value_or(0) < nothing ? "" : bound_text(job, own));
}

} // namespace

std::string verdict_of(const Job& job, const JobSummary& s) {
  if (job.settings.method == "none" || job.settings.method == "fixed" || job.run.ranks.empty())
    return "";
  if (s.gears_in_effect)
    return in_effect(job, s);
  const auto caps = caps_of(job, s);
  const bool limited = job.settings.power_caps.peak && !job.settings.dry_run;
  const bool failed =
      (missed(caps) && !job.settings.dry_run) ||
      (!over_at_once(s) && excess(job, {s.own_ratio, std::nullopt}).value_or(0) >= nothing);
  std::string none =
      fmt::format("{}: no gears were set{}{}{}.", failed ? "Failure" : "Nothing saved",
                  limited ? " besides those of the cap" : "", own_text(job, s), caps_text(caps));
  if (!s.predicted || !s.predicted->energy)
    return none;
  const std::string assumed = assumed_text(s);
  return fmt::format("{} They would have saved {:.1f} % of the energy of an iteration for {} "
                     "(predicted{}{}).",
                     none, -percent_more(*s.predicted->energy), time_text(s.predicted->time),
                     assumed.empty() ? "" : "; ", assumed);
}

} // namespace hypermile::report
