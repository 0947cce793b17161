#include "accounting/prometheus.hpp"

#include <fmt/format.h>

#include <functional>
#include <string_view>

namespace hypermile::accounting {
namespace {

/// The value of a label, in its quotes.
std::string label_value(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\n') {
      safe += "\\n";
      continue;
    }
    if (c == '\\' || c == '"')
      safe += '\\';
    safe += c;
  }
  return fmt::format("\"{}\"", safe);
}

struct Metric {
  std::string_view name;
  std::string_view type; ///< a counter only grows, as long as lines are added to the file
  std::string_view help;
};

using OfUser = std::function<double(const Total&)>;
using OfEnergy = std::function<double(const Total::Energy&)>;

std::string heading(const Metric& metric) {
  return fmt::format("# HELP {0} {2}\n# TYPE {0} {1}\n", metric.name, metric.type, metric.help);
}

std::string by_user(const Totals& totals, const Metric& metric, const OfUser& value) {
  std::string text = heading(metric);
  for (const auto& [user, total] : totals.by_user)
    text += fmt::format("{}{{user={}}} {}\n", metric.name, label_value(user), value(total));
  return text;
}

std::string by_user_and_basis(const Totals& totals, const Metric& metric, const OfEnergy& value) {
  std::string text = heading(metric);
  for (const auto& [user, total] : totals.by_user)
    for (const auto& [by, energy] :
         {std::pair{EnergyBy::meters, total.measured}, {EnergyBy::power_tables, total.estimated}})
      if (energy.jobs > 0)
        text += fmt::format("{}{{user={},energy_by={}}} {}\n", metric.name, label_value(user),
                            label_value(name_of(by)), value(energy));
  return text;
}

} // namespace

std::string prometheus_text(const Totals& totals, double last_ended_unix_s) {
  std::string text =
      by_user(totals, {"hypermile_jobs_total", "counter", "Jobs that ran under hypermile."},
              [](const Total& t) { return static_cast<double>(t.jobs); });
  text += by_user(totals,
                  {"hypermile_jobs_with_gears_total", "counter",
                   "Jobs of which some node was in another gear than 0."},
                  [](const Total& t) { return static_cast<double>(t.gears_set); });
  text += by_user(
      totals,
      {"hypermile_job_seconds_total", "counter", "Time of the jobs, MPI_Init to MPI_Finalize."},
      [](const Total& t) { return t.time.value(); });
  text += by_user(totals,
                  {"hypermile_job_lost_seconds", "gauge",
                   "By how much the jobs took longer than in gear 0, estimated."},
                  [](const Total& t) { return (t.time - t.gear0_time).value(); });
  text += by_user_and_basis(
      totals,
      {"hypermile_job_energy_joules_total", "counter",
       "Energy of the jobs' nodes, measured by meters or estimated from power tables."},
      [](const Total::Energy& e) { return e.used.value(); });
  text += by_user_and_basis(totals,
                            {"hypermile_job_gear0_energy_joules_total", "counter",
                             "Energy of the same jobs in gear 0, estimated."},
                            [](const Total::Energy& e) { return e.gear0.value(); });
  text += by_user_and_basis(
      totals,
      {"hypermile_job_saved_joules", "gauge", "What gears saved, against the estimate of gear 0."},
      [](const Total::Energy& e) { return e.saved().value(); });
  text += by_user(totals,
                  {"hypermile_job_possible_saving_ratio", "gauge",
                   "Mean saving that was predicted of jobs whose gears could not be set, 0 to 1."},
                  [](const Total& t) { return t.possible_saving; });
  if (last_ended_unix_s > 0)
    text +=
        heading({"hypermile_last_job_timestamp_seconds", "gauge", "When the latest job ended."}) +
        fmt::format("hypermile_last_job_timestamp_seconds {:.3f}\n", last_ended_unix_s);
  return text;
}

} // namespace hypermile::accounting
