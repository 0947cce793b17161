#include "io/plan_json.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <span>
#include <type_traits>
#include <utility>

namespace hypermile::io {
namespace {

using nlohmann::ordered_json;

template <class Value, std::size_t N>
using Names = std::array<std::pair<Value, std::string_view>, N>;

constexpr Names<select::Bound, 4> bound_keys{{{select::Bound::slowdown, "max_slowdown"},
                                              {select::Bound::energy, "energy_budget_j"},
                                              {select::Bound::average_power, "average_power_cap_w"},
                                              {select::Bound::peak_power, "peak_power_cap_w"}}};

constexpr Names<model::ModelKind, 8> kinds{{{model::ModelKind::rauber, "rauber"},
                                            {model::ModelKind::homogeneous, "homogeneous"},
                                            {model::ModelKind::cluster, "cluster"},
                                            {model::ModelKind::grid, "grid"},
                                            {model::ModelKind::hybrid, "hybrid"},
                                            {model::ModelKind::async, "async"},
                                            {model::ModelKind::async_literal, "async_literal"},
                                            {model::ModelKind::table, "table"}}};

template <class Value, std::size_t N>
std::string_view name_in(const Names<Value, N>& names, Value value) {
  for (const auto& [known, name] : names)
    if (known == value)
      return name;
  return {};
}

/// JSON knows no infinity.
ordered_json number_or_null(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

ordered_json gears_per_node(const model::Problem& problem, std::span<const model::Gear> gears) {
  ordered_json list = ordered_json::array();
  for (const model::Gear gear : gears)
    for (std::size_t i = 0; i < problem.nodes_per_unit(); ++i)
      list.push_back(gear);
  return list;
}

ordered_json frequencies_per_node(const model::Problem& problem,
                                  std::span<const model::Gear> gears) {
  ordered_json list = ordered_json::array();
  for (std::size_t unit = 0; unit < gears.size(); ++unit)
    for (std::size_t i = 0; i < problem.nodes_per_unit(); ++i)
      list.push_back(gigahertz(problem.gears(unit).frequency(gears[unit])));
  return list;
}

void add_prediction(const model::Prediction& prediction, ordered_json& json) {
  json["time_s"] = prediction.time.value();
  json["energy_j"] = prediction.energy.value();
  json["p_norm"] = prediction.p_norm;
  json["e_norm"] = prediction.e_norm;
  json["distance"] = prediction.distance;
}

ordered_json certificate_to_json(const select::Certificate& certificate) {
  const bool exact = certificate.kind == select::Certificate::Kind::exact;
  ordered_json json{{"kind", exact ? "exact" : "bound"}, {"gap", nullptr}, {"theorem", nullptr}};
  if (certificate.gap)
    json["gap"] = *certificate.gap;
  if (!certificate.theorem.empty())
    json["theorem"] = certificate.theorem;
  return json;
}

ordered_json tasks_to_json(const model::Problem& problem, const select::TaskScaling& tasks) {
  ordered_json frequencies = ordered_json::array();
  for (const model::Gear gear : tasks.gears)
    frequencies.push_back(gigahertz(problem.gears(0).frequency(gear)));
  return {{"optimal_scale", number_or_null(tasks.optimal_scale)},
          {"scale", tasks.scale},
          {"scales", tasks.scales},
          {"gears", tasks.gears},
          {"frequencies_ghz", std::move(frequencies)}};
}

ordered_json text_or_null(const std::string& text) {
  return text.empty() || text == "-" ? ordered_json(nullptr) : ordered_json(text);
}

template <class Value> ordered_json value_or_null(const std::optional<Value>& value) {
  if (!value)
    return nullptr;
  if constexpr (std::is_same_v<Value, double>)
    return *value;
  else
    return value->value();
}

} // namespace

std::string_view name_of(select::Bound bound) { return name_in(bound_keys, bound); }
std::string_view name_of(model::ModelKind kind) { return name_in(kinds, kind); }

double gigahertz(Hertz frequency) {
  const double hertz = frequency.value();
  return (hertz > 1e6 ? std::round(hertz) : hertz) / 1e9;
}

namespace {

/// `gears`, `frequencies`: per node, as JSON.
ordered_json plan_json(std::string_view model, const select::Plan& plan, ordered_json gears,
                       ordered_json frequencies, std::optional<double> microseconds) {
  ordered_json json{{"schema", "hypermile/plan/1"},
                    {"model", model},
                    {"method", name_of(plan.method)},
                    {"objective", name_of(plan.objective)},
                    {"feasible", plan.feasible()},
                    {"gears", std::move(gears)},
                    {"frequencies_ghz", std::move(frequencies)}};
  add_prediction(plan.prediction, json);
  json["certificate"] = certificate_to_json(plan.certificate);
  json["microseconds"] = microseconds ? ordered_json(*microseconds) : ordered_json(nullptr);
  json["violations"] = ordered_json::array();
  for (const select::Violation& violation : plan.violations)
    json["violations"].push_back({{"bound", name_of(violation.bound)},
                                  {"limit", violation.limit},
                                  {"reached", violation.reached}});
  return json;
}

} // namespace

ordered_json plan_to_json(const model::Problem& problem, const select::Plan& plan,
                          std::optional<double> microseconds) {
  ordered_json json = plan_json(name_of(problem.kind()), plan, gears_per_node(problem, plan.gears),
                                frequencies_per_node(problem, plan.gears), microseconds);
  if (plan.tasks)
    json["tasks"] = tasks_to_json(problem, *plan.tasks);
  return json;
}

ordered_json run_plan_to_json(const select::Plan& plan,
                              std::span<const std::optional<Hertz>> frequencies,
                              std::optional<double> microseconds) {
  ordered_json list = ordered_json::array();
  for (const auto& frequency : frequencies)
    list.push_back(frequency ? ordered_json(gigahertz(*frequency)) : ordered_json(nullptr));
  return plan_json("dependency", plan, plan.gears, std::move(list), microseconds);
}

ordered_json request_to_json(const ProblemSource& source, const select::Request& request) {
  const select::Constraints& asked = request.constraints;
  return {{"problem", text_or_null(source.problem)},
          {"platform", text_or_null(source.platform)},
          {"workload", text_or_null(source.workload)},
          {"energy_model", text_or_null(source.energy_model)},
          {"weight", value_or_null(request.weight)},
          {"max_slowdown", value_or_null(asked.max_slowdown)},
          {"energy_budget_j", value_or_null(asked.energy_budget)},
          {"average_power_cap_w", value_or_null(asked.average_power_cap)},
          {"peak_power_cap_w", value_or_null(asked.peak_power_cap)}};
}

ordered_json front_to_json(const model::Problem& problem, const select::Front& front) {
  const bool gears_listed = !front.points.empty() && !front.points.front().gears.empty();
  ordered_json points = ordered_json::array();
  for (const select::FrontPoint& point : front.points) {
    ordered_json json = ordered_json::object();
    add_prediction(point.prediction, json);
    if (gears_listed)
      json["gears"] = gears_per_node(problem, point.gears);
    points.push_back(std::move(json));
  }
  return {{"schema", "hypermile/front/1"},
          {"model", name_of(problem.kind())},
          {"gears_listed", gears_listed},
          {"certificate", certificate_to_json(front.certificate)},
          {"points", std::move(points)}};
}

} // namespace hypermile::io
