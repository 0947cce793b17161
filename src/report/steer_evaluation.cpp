#include "report/steer_evaluation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace hypermile::report {
namespace {

using nlohmann::ordered_json;

constexpr double percent = 100;

ordered_json case_json(const steer::Case& one) {
  return {{"table", one.table},
          {"method", one.method},
          {"bound_kind", steer::name_of(one.kind)},
          {"bound", one.bound},
          {"loss_percent", percent * one.loss},
          {"violated", one.violated},
          {"visits", one.visits},
          {"measurements", one.measurements},
          {"worst_excess_percent", percent * one.worst_excess}};
}

ordered_json summary_json(const steer::Summary& summary) {
  return {{"method", summary.method},
          {"bound_kind", steer::name_of(summary.kind)},
          {"cases", summary.cases},
          {"mean_loss_percent", percent * summary.mean_loss},
          {"worst_loss_percent", percent * summary.worst_loss},
          {"violations", summary.violations},
          {"mean_visits", summary.mean_visits},
          {"mean_measurements", summary.mean_measurements},
          {"worst_excess_percent", percent * summary.worst_excess}};
}

std::string summary_line(const steer::Summary& row) {
  return fmt::format("{:<14} {:<10} {:>5} {:>11.3f} {:>7.2f} {:>8} {:>7.2f} {:>8.1f}\n", row.method,
                     steer::name_of(row.kind), row.cases, percent * row.mean_loss,
                     percent * row.worst_loss, row.violations, row.mean_visits,
                     percent * row.worst_excess);
}

/// `into`: gets the keys `summary` and `cases`.
void add_evaluation(ordered_json& into, const steer::Evaluation& evaluation) {
  into["summary"] = ordered_json::array();
  into["cases"] = ordered_json::array();
  for (const steer::Summary& row : evaluation.summary)
    into["summary"].push_back(summary_json(row));
  for (const steer::Case& one : evaluation.cases)
    into["cases"].push_back(case_json(one));
}

constexpr const char* legend =
    R"(
loss: less throughput (bounds on power) or more power (bounds on throughput) than
the best configuration that keeps the bound, where it was kept; visits: different
configurations, the last included; excess: how far a configuration that was only
visited missed the bound
)";

} // namespace

std::string evaluation_text(const EvaluationSubject& subject, const steer::Evaluation& evaluation) {
  std::string text = fmt::format("{}\n", fmt::join(subject.tables, ", "));
  if (subject.noise.deviation > 0)
    text += fmt::format("measurements deviate by {:.3g} % (standard deviation, seed {})\n",
                        percent * subject.noise.deviation, subject.noise.seed);
  text += fmt::format("\n{:<14} {:<10} {:>5} {:>11} {:>7} {:>8} {:>7} {:>8}\n", "", "", "",
                      "loss: mean", "worst", "", "", "worst");
  text += fmt::format("{:<14} {:<10} {:>5} {:>11} {:>7} {:>8} {:>7} {:>8}\n", "method", "bound on",
                      "cases", "%", "%", "violated", "visits", "excess %");
  for (const steer::Summary& row : evaluation.summary)
    text += summary_line(row);
  if (!subject.left_out)
    return text + legend;
  text += "\nleft out: for each program, with what is learnt from the others alone\n";
  for (const steer::Summary& row : subject.left_out->summary)
    text += summary_line(row);
  return text + legend;
}

std::string evaluation_json(const EvaluationSubject& subject, const steer::Evaluation& evaluation) {
  ordered_json json{{"schema", "hypermile/steer-evaluation/1"},
                    {"tables", subject.tables},
                    {"noise_percent", percent * subject.noise.deviation},
                    {"seed", subject.noise.seed}};
  add_evaluation(json, evaluation);
  json["left_out"] = nullptr;
  if (subject.left_out)
    add_evaluation(json["left_out"], *subject.left_out);
  return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

} // namespace hypermile::report
