#include "runtime/request.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <map>

namespace hypermile::runtime {

std::optional<select::Request> to_request(const Settings& settings) {
  if (settings.method == "none" || (settings.method == "fixed" && !settings.gears.empty()))
    return std::nullopt;
  const auto method = select::method_named(settings.method);
  if (!method)
    throw Error(ErrorKind::config,
                fmt::format("HYPERMILE_METHOD: '{}' is not a method", settings.method),
                select::method_names(model::ModelKind::table) + ", none");
  const auto objective = select::objective_named(settings.objective);
  if (!objective)
    throw Error(ErrorKind::config,
                fmt::format("HYPERMILE_OBJECTIVE: '{}' is not an objective", settings.objective),
                select::objective_names());
  select::Request request;
  request.method = *method;
  request.objective = *objective;
  request.constraints.max_slowdown = settings.max_slowdown;
  request.constraints.average_power_cap = settings.power_caps.average;
  request.constraints.peak_power_cap = settings.power_caps.peak;
  if (!settings.power_caps.none() && !select::row_of(*method).keeps_bounds)
    throw Error(ErrorKind::config,
                fmt::format("HYPERMILE_POWER_CAP: the method '{}' keeps no cap", settings.method),
                "HYPERMILE_METHOD=exact");
  return request;
}

std::vector<model::Gear> gears_of_ranks(const std::vector<model::Gear>& gears,
                                        const std::vector<std::string>& node_of_rank) {
  std::map<std::string, std::size_t> nodes;
  std::vector<model::Gear> of_rank;
  for (const std::string& node : node_of_rank) {
    const std::size_t index = nodes.emplace(node, nodes.size()).first->second;
    of_rank.push_back(index < gears.size() ? gears[index] : 0);
  }
  if (nodes.size() != gears.size())
    throw Error(
        ErrorKind::config,
        fmt::format("HYPERMILE_GEARS: there are {} gears for {} nodes", gears.size(), nodes.size()),
        "one gear per node, in the order of the first rank on each");
  return of_rank;
}

TimeModel to_time_model(const Settings& settings, const model::dependency::Protocol& assumed) {
  const auto kind = time_model_named(settings.time_model);
  if (!kind)
    throw Error(ErrorKind::config,
                fmt::format("HYPERMILE_TIME_MODEL: '{}' is not a time model", settings.time_model),
                "auto, cluster or dependency");
  TimeModel model{.kind = *kind, .assumed = assumed};
  model.repetition = {.every = settings.every, .adaptive = settings.adaptive};
  if (settings.confidence)
    model.confidence = *settings.confidence;
  if (settings.think)
    model.think = *settings.think;
  return model;
}

} // namespace hypermile::runtime
