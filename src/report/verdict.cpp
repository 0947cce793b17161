#include "report/verdict.hpp"

#include <fmt/format.h>

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

std::string energy_basis(const Ratio& ratio, EnergyBasis basis, bool assumed) {
  return ratio.energy ? energy_by(ratio, basis, assumed) : "; energy is not known";
}

/// A run in gear 0 that took longer shows the machine, not the gears.
bool is_comparable(const Ratio& against_baseline) {
  return against_baseline.time >= believable_time_ratio;
}

std::optional<Whole> whole_run(const JobSummary& s) {
  if (s.against_baseline && (is_comparable(*s.against_baseline) || !s.whole_run))
    return Whole{*s.against_baseline,
                 "measured against the run in gear 0" +
                     energy_basis(*s.against_baseline, s.baseline_basis, s.power_assumed)};
  if (s.whole_run)
    return Whole{*s.whole_run,
                 std::string(s.measured ? "estimated from measured iterations"
                                        : "estimated; no iterations could be compared") +
                     energy_basis(*s.whole_run, EnergyBasis::tables, s.power_assumed) +
                     (s.against_baseline ? "; the run in gear 0 took longer, which gears cannot "
                                           "explain"
                                         : "")};
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

/// A bound that was missed is a failure, and so are gears that save nothing; or, where the distance
/// of the two counts, no more energy than they cost time.
bool has_failed(const Job& job, const Ratio& ratio) {
  const double cost = percent_more(ratio.time);
  const double saved = ratio.energy ? -percent_more(*ratio.energy) : 0;
  return excess(job, ratio).value_or(0) >= nothing ||
         (ratio.energy &&
          (saved < nothing || (job.settings.objective == "maxdist" && saved <= cost)));
}

std::string in_effect(const Job& job, const JobSummary& s) {
  const auto whole = whole_run(s);
  if (!whole)
    return "Gears were set; what that came to is not known.";
  const Ratio& ratio = whole->ratio;
  const std::string time = time_text(ratio.time);
  const std::string what =
      !ratio.energy ? time
      : percent_more(*ratio.energy) <= -nothing
          ? fmt::format("saved {:.1f} % of the energy for {}", -percent_more(*ratio.energy), time)
          : fmt::format("{}, {}", energy_text(*ratio.energy), time);
  return fmt::format("{}: {} ({}){}.", has_failed(job, ratio) ? "Failure" : "Success", what,
                     whole->how, bound_text(job, ratio));
}

} // namespace

std::string verdict_of(const Job& job, const JobSummary& s) {
  if (job.settings.method == "none" || job.settings.method == "fixed" || job.run.ranks.empty())
    return "";
  if (s.gears_in_effect)
    return in_effect(job, s);
  if (!s.predicted || !s.predicted->energy)
    return "Nothing saved: no gears were set.";
  return fmt::format(
      "Nothing saved: no gears were set. They would have saved {:.1f} % of the energy "
      "of an iteration for {} (predicted).",
      -percent_more(*s.predicted->energy), time_text(s.predicted->time));
}

} // namespace hypermile::report
