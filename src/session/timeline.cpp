#include "session/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hypermile::session {
namespace {

bool has_two_placements(const steer::Space& space) {
  return std::ranges::any_of(space.configurations, [](const steer::Configuration& one) {
    return one.placement == model::Placement::interleaved;
  });
}

const char* name_of(model::Placement placement) {
  return placement == model::Placement::linear ? "linear" : "interleaved";
}

double ghz(const steer::Configuration& configuration, const steer::Space& space) {
  return space.node.gears.frequency(configuration.gear).value() / 1e9;
}

/// Empty where no gears are set, or others than frequencies: then nobody knows it.
std::string ghz_field(const steer::Configuration& configuration, const steer::Space& space) {
  return space.node.gears.size() > 1 && space.node.frequencies_known
             ? fmt::format("{:.4f}", ghz(configuration, space))
             : "";
}

/// Empty where the frequency says it all.
std::string setting_field(const steer::Configuration& configuration, const steer::Space& space) {
  return space.node.settings.empty() ? "" : space.node.settings[configuration.gear];
}

std::string figure(std::optional<Rate> rate) {
  return rate ? fmt::format("{:.6g}", rate->value()) : "";
}

/// Quotes and commas have no place in the last field of a line.
std::string plain(std::string text) {
  std::ranges::replace(text, ',', ';');
  std::ranges::replace(text, '"', '\'');
  return text;
}

} // namespace

std::string describe(const steer::Configuration& configuration, const steer::Space& space) {
  std::string text =
      fmt::format("{} core{}", configuration.cores, configuration.cores == 1 ? "" : "s");
  if (!space.node.settings.empty())
    text += ", " + space.node.settings[configuration.gear];
  else if (space.node.gears.size() > 1)
    text += fmt::format(", {:.2f} GHz", ghz(configuration, space));
  if (has_two_placements(space))
    text += fmt::format(", {}", name_of(configuration.placement));
  return text;
}

std::string csv_header() {
  return "time_s,length_s,mode,phase,cores,frequency_ghz,setting,placement,throughput_per_s,"
         "arrivals_per_s,capacity_per_s,load,power_w,keeps_bounds,next_cores,next_frequency_ghz,"
         "next_setting,next_placement,decision\n";
}

std::string csv_line(const Row& row, const steer::Space& space) {
  const auto& now = space[row.configuration];
  const auto& next = space[row.next];
  return fmt::format("{:.3f},{:.3f},{},{},{},{},{},{},{:.6g},{},{},{:.4f},{:.3f},{},{},{},{},"
                     "{},{}\n",
                     row.time.value(), row.length.value(), steer::name_of(row.mode), row.phase,
                     now.cores, ghz_field(now, space), setting_field(now, space),
                     name_of(now.placement), row.throughput.value(), figure(row.arrivals),
                     figure(row.capacity), row.load, row.power.value(), row.keeps_bounds ? 1 : 0,
                     next.cores, ghz_field(next, space), setting_field(next, space),
                     name_of(next.placement), plain(row.decision));
}

std::string text_line(const Row& row, const steer::Space& space) {
  std::string text = fmt::format(
      "{:7.1f} s {:<11} {:<17} {:>9.4g}/s load {:>3.0f}% {:>6.1f} W{}", row.time.value(),
      steer::name_of(row.mode), describe(space[row.configuration], space), row.throughput.value(),
      100 * row.load, row.power.value(), row.keeps_bounds ? "" : "  missed");
  if (!row.decision.empty())
    text += fmt::format("\n          -> {}: {}", describe(space[row.next], space), row.decision);
  return text;
}

} // namespace hypermile::session
