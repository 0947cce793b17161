#include "cli/explain_subjects.hpp"
#include "cli/problem_options.hpp"

#include "io/plan_reader.hpp"
#include "io/problem_files.hpp"
#include "report/plan_explanation.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace hypermile::cli {
namespace {

using io::StatedPlan;

StatedPlan pick(std::vector<StatedPlan> plans, const std::string& file, const std::string& method) {
  if (method.empty())
    return std::move(plans.front());
  std::vector<std::string_view> methods;
  for (StatedPlan& plan : plans) {
    methods.push_back(select::name_of(plan.request.method));
    if (methods.back() == method)
      return std::move(plan);
  }
  throw NotThere(fmt::format("{} has no plan by '{}'", file, method),
                 fmt::format("{}", fmt::join(methods, ", ")));
}

io::ProblemSource source_of(const StatedPlan& plan, const ExplainOptions& options) {
  io::ProblemSource source = options.source;
  if (!options.names_problem()) {
    source.problem = io::named_by_plan(plan.source.problem, options.subject);
    source.platform = io::named_by_plan(plan.source.platform, options.subject);
    source.workload = io::named_by_plan(plan.source.workload, options.subject);
    if (source.problem.empty() && source.workload.empty())
      throw CLI::RequiredError(fmt::format("{} does not name its problem: --problem, or --platform "
                                           "with --workload,",
                                           options.subject));
  }
  if (source.energy_model.empty())
    source.energy_model = plan.source.energy_model;
  return source;
}

bool same(double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); }

/// Where the plan says something else of its gears than the problem does.
std::string difference(const StatedPlan& plan, const model::Prediction& predicted) {
  if (same(plan.time.value(), predicted.time.value()) &&
      same(plan.energy.value(), predicted.energy.value()))
    return "";
  return fmt::format("The plan itself says {:.6g} s and {:.6g} J: {}", plan.time.value(),
                     plan.energy.value(),
                     select::row_of(plan.request.method).predicts_gears
                         ? "its problem is another one, or has been changed since."
                         : "those of factors that no gear has.");
}

} // namespace

std::string explained_plan(const ExplainOptions& options) {
  const std::string file = options.subject == "-" ? "standard input" : options.subject;
  const StatedPlan plan =
      pick(io::parse_stated_plans(read_input(options.subject), file), file, options.run);
  if (plan.is_of_run)
    throw Error(ErrorKind::config, fmt::format("{} is a plan for a run, and of no problem", file),
                "hypermile explain with the same --model or recorded run, and --plan " + file);
  const io::ProblemSource source = source_of(plan, options);
  const model::Problem problem = load_problem(source);
  const auto gears = io::gears_of_units(problem, plan.gears, file, "the problem of this plan");
  select::Request request = plan.request;
  if (options.objective && *options.objective != request.objective) {
    request.objective = *options.objective;
    request.weight.reset();
  }
  if (options.max_slowdown)
    request.constraints.max_slowdown = options.max_slowdown;
  const auto explanation = select::explain(problem, gears, request);
  const report::ExplainedPlan explained{
      .file = file,
      .problem = source.workload.empty()
                     ? source.problem
                     : fmt::format("{} on {}", source.workload, source.platform),
      .request = request,
      .remark = difference(plan, explanation.neighbourhood.present.prediction)};
  return options.json ? report::plan_explanation_json(explained, problem, explanation)
                      : report::plan_explanation_text(explained, problem, explanation);
}

} // namespace hypermile::cli
