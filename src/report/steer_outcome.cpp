#include "report/steer_outcome.hpp"

#include "units/wrapped.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hypermile::report {
namespace {

using nlohmann::ordered_json;

constexpr double in_percent = 100;

double share(Seconds part, Seconds whole) { return whole > Seconds{} ? part / whole : 0; }

template <class Value> ordered_json or_null(const std::optional<Value>& value) {
  return value ? ordered_json(value->value()) : ordered_json();
}

ordered_json configuration_json(const steer::Configuration& one, const steer::Space& space) {
  const bool linear = one.placement == model::Placement::linear;
  ordered_json json{{"cores", one.cores}, {"frequency_ghz", nullptr}, {"setting", nullptr}};
  if (space.node.gears.size() > 1 && space.node.frequencies_known)
    json["frequency_ghz"] = space.node.gears.frequency(one.gear).value() / 1e9;
  if (!space.node.settings.empty())
    json["setting"] = space.node.settings[one.gear];
  json["placement"] = linear ? "linear" : "interleaved";
  return json;
}

std::string bounds_text(const steer::Bounds& bounds) {
  std::string text;
  const auto add = [&](const std::string& bound) { text += (text.empty() ? "" : ", ") + bound; };
  if (bounds.power)
    add(fmt::format("at most {:.4g} W", bounds.power->value()));
  if (bounds.throughput)
    add(fmt::format("at least {:.4g} items/s", bounds.throughput->value()));
  if (bounds.utilisation)
    add(fmt::format("at most {:.3g} % utilisation", in_percent * *bounds.utilisation));
  if (bounds.deadline)
    add(fmt::format("{:.6g} items in {:.4g} s", *bounds.items, bounds.deadline->value()));
  if (bounds.energy)
    add(fmt::format("{:.6g} items with {:.4g} J", *bounds.items, bounds.energy->value()));
  return text.empty() ? "none" : text;
}

std::string origin(const session::Outcome& outcome) {
  if (outcome.measures.empty())
    return "assumed: there is no meter";
  if (outcome.measures == "emulated")
    return "estimated for an emulated node";
  return "measured: " + outcome.measures;
}

ordered_json row_json(const session::Row& row, const steer::Space& space) {
  return {{"time_s", row.time.value()},
          {"length_s", row.length.value()},
          {"mode", steer::name_of(row.mode)},
          {"phase", row.phase},
          {"configuration", configuration_json(space[row.configuration], space)},
          {"throughput_per_s", row.throughput.value()},
          {"arrivals_per_s", or_null(row.arrivals)},
          {"capacity_per_s", or_null(row.capacity)},
          {"load", row.load},
          {"power_w", row.power.value()},
          {"keeps_bounds", row.keeps_bounds},
          {"next", configuration_json(space[row.next], space)},
          {"decision", row.decision}};
}

} // namespace

std::string steer_text(const std::string& program, const session::Outcome& outcome) {
  const session::Result& result = outcome.result;
  const steer::Account& account = outcome.account;
  std::string text = fmt::format("{}\n", program);
  const auto line = [&](const char* name, const std::string& value) {
    constexpr std::size_t width = 16;
    text += labelled(fmt::format("  {}", name), value, width);
  };
  line("bounds", bounds_text(outcome.bounds));
  if (!result.reported) {
    line("result", "the program has reported no progress, and was not steered");
    return text;
  }
  const double seconds = result.time.value();
  line("steered for",
       fmt::format("{:.1f} s, by {}", seconds,
                   outcome.backend == "cores" ? "cores alone"
                                              : "cores and gears (" + outcome.backend + ")"));
  line("done", fmt::format("{:.6g} items, {:.4g}/s", result.items,
                           seconds > 0 ? result.items / seconds : 0.0));
  line("energy", fmt::format("{:.4g} J, {:.4g} W on average ({})", result.energy.value(),
                             seconds > 0 ? result.energy.value() / seconds : 0.0, origin(outcome)));
  line("bounds kept",
       fmt::format("{:.1f} % of {:.1f} s in the steady state",
                   in_percent * share(result.kept, result.steady), result.steady.value()));
  line("calibrations", fmt::format("{}, {:.1f} s; {} phase{}, {} change{} of phase, {} of arrivals",
                                   account.calibrations, result.calibrating.value(), account.phases,
                                   account.phases == 1 ? "" : "s", account.phase_changes,
                                   account.phase_changes == 1 ? "" : "s", account.arrival_changes));
  line("at the end",
       outcome.configuration +
           (account.keeps_bounds ? "" : ", which misses the bounds: none keeps them"));
  return text;
}

std::string steer_json(const std::string& program, const session::Outcome& outcome) {
  const session::Result& result = outcome.result;
  const steer::Account& account = outcome.account;
  const steer::Bounds& bounds = outcome.bounds;
  const bool measured = !outcome.measures.empty() && outcome.measures != "emulated";
  const ordered_json json{
      {"schema", "hypermile/steer/1"},
      {"hypermile_version", HYPERMILE_VERSION},
      {"program", program},
      {"exit_code", outcome.exit_code},
      {"reported_progress", result.reported},
      {"bounds",
       {{"power_w", or_null(bounds.power)},
        {"throughput_per_s", or_null(bounds.throughput)},
        {"utilisation", bounds.utilisation ? ordered_json(*bounds.utilisation) : ordered_json()},
        {"deadline_s", or_null(bounds.deadline)},
        {"energy_j", or_null(bounds.energy)},
        {"items", bounds.items ? ordered_json(*bounds.items) : ordered_json()}}},
      {"backend", outcome.backend},
      {"power_measured", measured},
      {"power_source", origin(outcome)},
      {"time_s", result.time.value()},
      {"items", result.items},
      {"energy_j", result.energy.value()},
      {"steady_s", result.steady.value()},
      {"bounds_kept_s", result.kept.value()},
      {"calibrating_s", result.calibrating.value()},
      {"calibrations", account.calibrations},
      {"phases", account.phases},
      {"phase_changes", account.phase_changes},
      {"arrival_changes", account.arrival_changes},
      {"keeps_bounds", account.keeps_bounds},
      {"configuration", outcome.configuration}};
  return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string timeline_json(const std::vector<session::Row>& rows, const steer::Space& space) {
  ordered_json json{{"schema", "hypermile/steer-timeline/1"}, {"samples", ordered_json::array()}};
  for (const session::Row& row : rows)
    json["samples"].push_back(row_json(row, space));
  return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

} // namespace hypermile::report
