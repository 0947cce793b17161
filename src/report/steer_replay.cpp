#include "report/steer_replay.hpp"

#include "units/wrapped.hpp"

#include "session/timeline.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hypermile::report {
namespace {

using nlohmann::ordered_json;

constexpr double to_percent = 100;
constexpr std::size_t reason_column = 9;

/// "0.34", "5.3", "12", "2340": two digits, more where they stand before the point.
std::string percent_of(double share) {
  constexpr double two_digits = 10;
  return to_percent * share < two_digits ? fmt::format("{:.2g}", to_percent * share)
                                         : fmt::format("{:.0f}", to_percent * share);
}

std::string line(const char* name, const steer::Configuration& one, const steer::Space& space,
                 const steer::Performance& performance, const steer::Goal& goal) {
  const double missed = steer::excess(goal, performance);
  return fmt::format("{:<8} {:<30} {:>9.4g}/s {:>7.2f} W{}\n", name, session::describe(one, space),
                     performance.capacity.value(), performance.power.value(),
                     missed > 0 ? fmt::format("  misses by {} %", percent_of(missed)) : "");
}

ordered_json json_of(std::size_t index, const ReplaySubject& subject,
                     const steer::Performance& performance) {
  const steer::Configuration& one = subject.table.space[index];
  const bool linear = one.placement == model::Placement::linear;
  return {{"cores", one.cores},
          {"frequency_ghz", subject.table.space.node.gears.frequency(one.gear).value() / 1e9},
          {"placement", linear ? "linear" : "interleaved"},
          {"throughput_per_s", performance.capacity.value()},
          {"power_w", performance.power.value()},
          {"excess_percent", to_percent * std::max(steer::excess(subject.goal, performance), 0.0)}};
}

/// How much better the best of all is.
double loss(const ReplaySubject& subject, std::size_t chosen, std::size_t best) {
  const auto& table = subject.table.performance;
  return 1 - steer::worth(subject.goal, table[chosen]) / steer::worth(subject.goal, table[best]);
}

} // namespace

std::string replay_text(const ReplaySubject& subject, const steer::Replay& replay, bool reasons) {
  const steer::Space& space = subject.table.space;
  std::string text = fmt::format("{}: {}\n{}, {} visits, {} measurements\n\n", subject.table.name,
                                 steer::describe(subject.goal), subject.method, replay.visits,
                                 replay.observations.size());
  for (const steer::Observation& one : replay.observations) {
    text += line("visited", space[one.configuration], space, {one.seen.capacity, one.seen.power},
                 subject.goal);
    if (reasons)
      text += labelled("", one.reason, reason_column);
  }
  const std::size_t chosen = replay.settled.configuration;
  const steer::Optimum best = steer::optimum(subject.table, subject.goal);
  text += line("settled", space[chosen], space, subject.table.performance[chosen], subject.goal);
  text += labelled("", replay.settled.reason, reason_column);
  text += line("best", space[best.configuration], space,
               subject.table.performance[best.configuration], subject.goal);
  text += fmt::format("\nloss against the best: {:.3g} %\n",
                      to_percent * loss(subject, chosen, best.configuration));
  return text;
}

std::string replay_json(const ReplaySubject& subject, const steer::Replay& replay) {
  const std::size_t chosen = replay.settled.configuration;
  const steer::Optimum best = steer::optimum(subject.table, subject.goal);
  ordered_json json{{"schema", "hypermile/steer-replay/1"},
                    {"table", subject.table.name},
                    {"method", subject.method},
                    {"goal", steer::describe(subject.goal)},
                    {"noise_percent", to_percent * subject.noise.deviation},
                    {"seed", subject.noise.seed},
                    {"visits", replay.visits},
                    {"keeps_bounds", replay.settled.keeps_bounds},
                    {"loss_percent", to_percent * loss(subject, chosen, best.configuration)}};
  json["settled"] = json_of(chosen, subject, subject.table.performance[chosen]);
  json["settled"]["reason"] = replay.settled.reason;
  json["best"] =
      json_of(best.configuration, subject, subject.table.performance[best.configuration]);
  json["measurements"] = ordered_json::array();
  for (const steer::Observation& one : replay.observations) {
    json["measurements"].push_back(
        json_of(one.configuration, subject, {one.seen.capacity, one.seen.power}));
    json["measurements"].back()["reason"] = one.reason;
  }
  return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

} // namespace hypermile::report
