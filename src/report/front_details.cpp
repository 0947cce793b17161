#include "report/front_details.hpp"

#include "io/plan_json.hpp"
#include "select/methods.hpp"
#include "select/score.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace hypermile::report {
namespace {

using nlohmann::ordered_json;
using select::FrontPoint;

constexpr std::size_t most_points = 300;

ordered_json points_json(const std::vector<FrontPoint>& points) {
  ordered_json json = ordered_json::array();
  for (const std::size_t i : shown_of_front(points.size()))
    json.push_back({{"time_s", points[i].prediction.time.value()},
                    {"energy_j", points[i].prediction.energy.value()}});
  return json;
}

/// Null where the front is a hull, on which there may be nothing so fast.
ordered_json beyond_front(const select::Front& front, const model::Prediction& prediction) {
  if (front.certificate.kind != select::Certificate::Kind::exact)
    return nullptr;
  const Seconds time = prediction.time * (1 + select::bound_tolerance);
  const auto after = std::ranges::upper_bound(
      front.points, time, {}, [](const FrontPoint& point) { return point.prediction.time; });
  if (after == front.points.begin())
    return nullptr;
  return 100 * std::max(0.0, prediction.energy / std::prev(after)->prediction.energy - 1);
}

/// Those that predict gears, apart from the ones that show what is wrong in print, and from the one
/// that tries everything.
bool is_shown(const select::MethodRow& method, model::ModelKind model) {
  return method.models.contain(model) && method.predicts_gears &&
         method.method != select::Method::brute && !method.name.ends_with("-literal");
}

ordered_json methods_json(const model::Problem& problem, const select::Request& request,
                          const select::Front& front) {
  ordered_json json = ordered_json::array();
  select::Selector selector;
  for (const select::MethodRow& method : select::methods()) {
    const bool chosen = method.method == request.method;
    if (!chosen && !is_shown(method, problem.kind()))
      continue;
    select::Request asked = request;
    asked.method = method.method;
    const select::Plan& plan = selector.choose(problem, asked);
    json.push_back({{"method", method.name},
                    {"time_s", plan.prediction.time.value()},
                    {"energy_j", plan.prediction.energy.value()},
                    {"keeps_bounds", plan.feasible()},
                    {"chosen", chosen},
                    {"beyond_front_percent", beyond_front(front, plan.prediction)}});
  }
  return json;
}

} // namespace

std::vector<std::size_t> shown_of_front(std::size_t count) {
  std::vector<std::size_t> shown(std::min(count, most_points));
  for (std::size_t i = 0; i < shown.size(); ++i)
    shown[i] = count <= most_points ? i : i * (count - 1) / (most_points - 1);
  return shown;
}

ordered_json front_details(const model::Problem& problem, const select::Request& request) {
  const select::Front front = select::Selector().front(problem);
  const model::Baseline& gear0 = problem.baseline();
  return {{"model", io::name_of(problem.kind())},
          {"time_s", gear0.time.value()},
          {"energy_j", gear0.energy.value()},
          {"exact", front.certificate.kind == select::Certificate::Kind::exact},
          {"count", front.points.size()},
          {"points", points_json(front.points)},
          {"methods", methods_json(problem, request, front)}};
}

} // namespace hypermile::report
