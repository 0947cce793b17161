#include "cli/jobs_text.hpp"

#include "units/wrapped.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace hypermile::cli {
namespace {

using accounting::JobLine;
using accounting::Total;
using accounting::Totals;
using nlohmann::ordered_json;

constexpr const char* not_known = "-";

std::string in_percent(const std::optional<double>& ratio) {
  return ratio ? fmt::format("{:.1f}", 100 * *ratio) : not_known;
}

/// "3.2 kWh" and "12.0 J" in one column would be hard to compare: joules up to a megajoule, and
/// kilowatt-hours from there on, for all lines.
class EnergyUnit {
public:
  explicit EnergyUnit(Joules largest) : in_kwh_(largest.value() >= 1e6) {}
  [[nodiscard]] std::string_view name() const { return in_kwh_ ? "kWh" : "J"; }
  [[nodiscard]] std::string print(Joules energy) const {
    constexpr double joules_per_kwh = 3.6e6;
    return fmt::format("{:.2f}", energy.value() / (in_kwh_ ? joules_per_kwh : 1));
  }

private:
  bool in_kwh_;
};

std::string time_text(Seconds time) {
  constexpr double hour = 3600;
  return time.value() < hour ? fmt::format("{:.1f} s", time.value())
                             : fmt::format("{:.1f} h", time.value() / hour);
}

/// Of a column: a longer text would move all others.
std::string shortened(const std::string& text, std::size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 1) + "~";
}

std::string user_line(const std::string& user, const Total& total, const EnergyUnit& unit) {
  const auto energy = total.energy();
  const bool known = energy.jobs > 0;
  return fmt::format("{:<12} {:>6} {:>9} {:>10} {:>12} {:>11} {:>8} {:>10}\n", shortened(user, 12),
                     total.jobs, total.gears_set, time_text(total.time),
                     known ? unit.print(energy.used) : not_known,
                     known ? unit.print(energy.saved()) : not_known, in_percent(total.saving()),
                     in_percent(total.slowdown()));
}

std::string basis_text(const Total& all) {
  std::string text = wrapped(fmt::format(
      "The energy of {} of {} jobs is known: of {} by meters, of {} estimated from power tables. "
      "Time and energy in gear 0, and so what was saved, are estimated.",
      all.energy().jobs, all.jobs, all.measured.jobs, all.estimated.jobs));
  if (all.could_save > 0)
    text += wrapped(fmt::format("{} of {} jobs ran without gears that would have saved {:.1f} % of "
                                "the energy of an iteration on average (predicted).",
                                all.could_save, all.jobs, 100 * all.possible_saving));
  if (all.emulated > 0)
    text += wrapped(fmt::format("Jobs on emulated nodes, left out: {}.", all.emulated));
  return text;
}

ordered_json energy_json(const Total::Energy& energy) {
  return {{"jobs", energy.jobs},
          {"energy_j", energy.used.value()},
          {"gear0_energy_j", energy.gear0.value()},
          {"saved_j", energy.saved().value()}};
}

ordered_json total_json(const Total& total) {
  const auto saving = total.saving();
  return {{"jobs", total.jobs},
          {"emulated_jobs", total.emulated},
          {"gears_set", total.gears_set},
          {"time_s", total.time.value()},
          {"gear0_time_s", total.gear0_time.value()},
          {"measured", energy_json(total.measured)},
          {"estimated", energy_json(total.estimated)},
          {"saving_percent", saving ? ordered_json(100 * *saving) : ordered_json()},
          {"slowdown_percent", 100 * total.slowdown()},
          {"could_save_jobs", total.could_save},
          {"possible_saving_percent",
           total.could_save > 0 ? ordered_json(100 * total.possible_saving) : ordered_json()}};
}

} // namespace

std::string jobs_as_text(std::span<const JobLine> jobs) {
  Joules largest;
  for (const JobLine& job : jobs)
    largest = std::max(largest, job.energy.value_or(Joules{}));
  const EnergyUnit unit(largest);
  std::string text = fmt::format("{:<12} {:<12} {:<14} {:>5} {:>10} {:>12} {:>8} {:>10}\n", "job",
                                 "user", "program", "nodes", "time",
                                 fmt::format("energy {}", unit.name()), "saving %", "slowdown %");
  for (const JobLine& job : jobs) {
    const std::string id = job.step.sacct_id();
    text += fmt::format(
        "{:<12} {:<12} {:<14} {:>5} {:>10} {:>12} {:>8} {:>10}\n", id.empty() ? not_known : id,
        shortened(job.step.user, 12), job.program.empty() ? not_known : shortened(job.program, 14),
        job.nodes.size(), time_text(job.time), job.energy ? unit.print(*job.energy) : not_known,
        in_percent(job.saving), in_percent(job.slowdown));
  }
  return text;
}

std::string totals_as_text(const Totals& totals) {
  std::vector<std::pair<std::string, Total>> users(totals.by_user.begin(), totals.by_user.end());
  std::ranges::stable_sort(users, [](const auto& a, const auto& b) {
    return a.second.energy().saved() > b.second.energy().saved();
  });
  const EnergyUnit unit(totals.all.energy().used);
  std::string text = fmt::format("{:<12} {:>6} {:>9} {:>10} {:>12} {:>11} {:>8} {:>10}\n", "user",
                                 "jobs", "gears set", "time", fmt::format("energy {}", unit.name()),
                                 fmt::format("saved {}", unit.name()), "saving %", "slowdown %");
  for (const auto& [user, total] : users)
    text += user_line(user, total, unit);
  if (users.size() != 1)
    text += user_line("all", totals.all, unit);
  return text + "\n" + basis_text(totals.all);
}

std::string totals_as_json(const Totals& totals) {
  ordered_json json{{"schema", "hypermile/jobs/1"}, {"all", total_json(totals.all)}};
  json["users"] = ordered_json::array();
  for (const auto& [user, total] : totals.by_user) {
    ordered_json one{{"user", user}};
    one.update(total_json(total));
    json["users"].push_back(std::move(one));
  }
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

} // namespace hypermile::cli
