#include "runtime/request.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <map>

namespace hypermile::runtime {

namespace {

/// Methods for a homogeneous cluster take nodes that are alike for one.
bool is_for(const select::MethodRow& method, TimeModelKind model) {
  return method.models.contain(problem_of(model)) ||
         (!is_uncoupled(model) && method.models.contain(model::ModelKind::homogeneous));
}

} // namespace

bool is_for_runs(const select::MethodRow& method) {
  return is_for(method, TimeModelKind::cluster) || is_for(method, TimeModelKind::hybrid);
}

std::string method_names_of_runs() {
  std::string names;
  for (const select::MethodRow& row : select::methods())
    if (is_for_runs(row))
      names += (names.empty() ? "" : ", ") + std::string(row.name);
  return names;
}

void check_choice(const select::MethodRow& method, TimeModelKind model,
                  const select::Constraints& constraints) {
  if (!is_for(method, model))
    throw Error(ErrorKind::config,
                fmt::format("the method '{}' is for {}, which the time model '{}' is not about",
                            method.name, method.models.description, name_of(model)),
                is_uncoupled(model) ? select::method_names(problem_of(model))
                                    : "the time model 'hybrid', or 'async'");
  if (!is_uncoupled(model) || constraints.none())
    return;
  throw Error(ErrorKind::config,
              fmt::format("with the time model '{}' no {} is kept: how many iterations the program "
                          "needs depends on the gears, and nobody knows how",
                          name_of(model),
                          constraints.max_slowdown ? "bound on slowdown" : "cap on power"),
              constraints.max_slowdown ? "the bound 'none', or another time model"
                                       : "no cap, or another time model");
}

std::optional<select::Request> to_request(const Settings& settings) {
  if (settings.method == "none" || (settings.method == "fixed" && !settings.gears.empty()))
    return std::nullopt;
  const auto method = select::method_named(settings.method);
  if (!method)
    throw Error(ErrorKind::config,
                fmt::format("HYPERMILE_METHOD: '{}' is not a method", settings.method),
                method_names_of_runs() + ", none");
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
  check_choice(select::row_of(*method),
               time_model_named(settings.time_model).value_or(TimeModelKind::automatic),
               request.constraints);
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
                "auto, cluster, dependency, hybrid or async");
  TimeModel model{.kind = *kind, .assumed = assumed};
  model.learns_sensitivity = !settings.full_sensitivity;
  model.repetition = {.every = settings.every, .adaptive = settings.adaptive};
  if (settings.confidence)
    model.confidence = *settings.confidence;
  if (settings.think)
    model.think = *settings.think;
  return model;
}

} // namespace hypermile::runtime
