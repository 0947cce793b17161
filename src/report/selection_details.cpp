#include "report/selection_details.hpp"

#include "io/plan_reader.hpp"
#include "io/problem_files.hpp"
#include "io/text_file.hpp"
#include "report/front_details.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <vector>

namespace hypermile::report {
namespace {

using io::StatedPlan;
using nlohmann::ordered_json;

/// Throws Error for a problem that is not there, or not understood.
model::Problem problem_of(const StatedPlan& plan, const std::string& file,
                          const std::string& platform_folder) {
  io::ProblemSource source = plan.source;
  for (std::string* const name : {&source.problem, &source.platform, &source.workload})
    *name = io::named_by_plan(*name, file);
  return io::load_problem(source, platform_folder);
}

bool same(double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); }

/// Whether the problem is the one that the plan was made for, as far as its figures tell.
bool is_of(const model::Problem& problem, const StatedPlan& plan, const std::string& file) {
  const auto gears = io::gears_of_units(problem, plan.gears, file);
  const auto predicted = predict(problem, gears);
  return !select::row_of(plan.request.method).predicts_gears ||
         (same(plan.time.value(), predicted.time.value()) &&
          same(plan.energy.value(), predicted.energy.value()));
}

/// Empty: there may be a front.
std::string why_no_front(const StatedPlan& plan) {
  if (plan.is_of_run)
    return "it is a plan for a run, of which there is no exact front";
  if (plan.source.problem.empty() && plan.source.workload.empty())
    return "the plan does not name the file of its problem";
  return "";
}

ordered_json without_front(const std::string& why) {
  return {{"front", nullptr}, {"missing", {fmt::format("The exact Pareto front: {}.", why)}}};
}

} // namespace

ordered_json selection_details(const std::string& file, const std::string& platform_folder) {
  const auto plans = io::parse_stated_plans(io::read_text_file(file), file);
  const StatedPlan& first = plans.front();
  if (const std::string why = why_no_front(first); !why.empty())
    return without_front(why);
  try {
    const model::Problem problem = problem_of(first, file, platform_folder);
    for (const StatedPlan& plan : plans)
      if (!is_of(problem, plan, file))
        return without_front("the problem is another one, or has been changed since");
    return {{"front", front_details(problem, first.request)}, {"missing", ordered_json::array()}};
  } catch (const Error& error) {
    return without_front(error.what());
  }
}

ordered_json front_file_details(nlohmann::json& front) {
  const nlohmann::json points = std::exchange(front.at("points"), nlohmann::json::array());
  if (points.empty())
    throw Error(ErrorKind::config, "the front has no points", "hypermile select --pareto --json");
  ordered_json shown = ordered_json::array();
  for (const std::size_t i : shown_of_front(points.size()))
    shown.push_back(
        {{"index", i}, {"time_s", points[i].at("time_s")}, {"energy_j", points[i].at("energy_j")}});
  const nlohmann::json& any = points.front();
  const double gear0_s = any.at("time_s").get<double>() * any.at("p_norm").get<double>();
  const double gear0_j = any.at("energy_j").get<double>() / any.at("e_norm").get<double>();
  return {{"front",
           {{"model", front.at("model")},
            {"time_s", gear0_s},
            {"energy_j", gear0_j},
            {"exact", front.at("certificate").at("kind") == "exact"},
            {"count", points.size()},
            {"points", std::move(shown)},
            {"methods", ordered_json::array()}}},
          {"missing",
           {"What methods choose: a front says nothing of them; hypermile select --json does."}}};
}

} // namespace hypermile::report
