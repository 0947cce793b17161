#include "report/model_fit_report.hpp"

#include "units/wrapped.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace hypermile::report {
namespace {

using nlohmann::ordered_json;

std::vector<double> measured(const simulate::Observations& observations) {
  std::vector<double> values;
  for (const auto& row : observations.rows)
    values.push_back(row.measured);
  return values;
}

double percent_off(double predicted, double observed) { return 100 * (predicted / observed - 1); }

std::string interval_text(const estimate::Estimate& estimate) {
  if (estimate.at_bound)
    return "next to 0: it would fit better with another sign";
  return std::isinf(estimate.high) ? "unknown: as many runs as parameters"
                                   : fmt::format("{:.4g} to {:.4g}", estimate.low, estimate.high);
}

/// "size=3 steps=2": what a row has of its own.
std::string own(const simulate::Observation& row) {
  std::string text;
  for (const auto& [name, value] : row.parameters)
    text += fmt::format("  {}={:g}", name, value);
  return text;
}

ordered_json finite(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json();
}

} // namespace

std::string print_model_fit(const simulate::ModelFitRequest& request,
                            const simulate::Observations& observations,
                            const simulate::ModelFit& fitted) {
  const auto& [parameters, predictions, left_out] = fitted.fit;
  const bool is_time = observations.what == simulate::Measured::time;
  std::string text = wrapped(fmt::format(
      "{} fitted to the {} of {} runs on {}{}", request.experiment.model,
      is_time ? "time" : "energy", observations.rows.size(), request.experiment.platform,
      request.with_idle_nodes ? ", nodes without ranks included" : ""));
  text += fmt::format("\n{:<16}{:>14}  {}\n", "parameter", "value", "95 % interval");
  for (std::size_t i = 0; i < parameters.size(); ++i)
    text += fmt::format("{:<16}{:>14.6g}  {}\n", request.parameters[i], parameters[i].value,
                        interval_text(parameters[i]));
  text +=
      fmt::format("\n{:>7}{:>14}{:>14}{:>9}{:>16}{:>9}\n", "ranks",
                  is_time ? "measured s" : "measured J", "model", "error %", "left out", "error %");
  for (std::size_t i = 0; i < observations.rows.size(); ++i) {
    const auto& row = observations.rows[i];
    text += fmt::format("{:>7}{:>14.6g}{:>14.6g}{:>9.2f}", row.ranks, row.measured, predictions[i],
                        percent_off(predictions[i], row.measured));
    if (!left_out.empty())
      text += fmt::format("{:>16.6g}{:>9.2f}", left_out[i], percent_off(left_out[i], row.measured));
    text += own(row) + "\n";
  }
  text +=
      fmt::format("{:>44.2f}", 100 * estimate::relative_error(predictions, measured(observations)));
  if (!left_out.empty())
    text +=
        fmt::format("{:>25.2f}", 100 * estimate::relative_error(left_out, measured(observations)));
  text += "  root mean square\n\n";
  return text +
         wrapped("\"left out\" is what the model makes of a run with the parameters that fit all "
                 "other runs best. This is a fit, not a validation.");
}

std::string model_fit_json(const simulate::ModelFitRequest& request,
                           const simulate::Observations& observations,
                           const simulate::ModelFit& fitted) {
  const auto& [parameters, predictions, left_out] = fitted.fit;
  const bool is_time = observations.what == simulate::Measured::time;
  ordered_json json{{"schema", "hypermile/fit/1"},
                    {"model", request.experiment.model},
                    {"platform", request.experiment.platform},
                    {"fitted_to", is_time ? "time" : "energy"},
                    {"with_idle_nodes", request.with_idle_nodes},
                    {"estimates", ordered_json::array()},
                    {"observations", ordered_json::array()}};
  for (std::size_t i = 0; i < parameters.size(); ++i)
    json["estimates"].push_back({{"parameter", request.parameters[i]},
                                 {"start", fitted.start[i]},
                                 {"value", parameters[i].value},
                                 {"at_bound", parameters[i].at_bound},
                                 {"low", finite(parameters[i].low)},
                                 {"high", finite(parameters[i].high)}});
  for (std::size_t i = 0; i < observations.rows.size(); ++i) {
    const auto& row = observations.rows[i];
    json["observations"].push_back(
        {{"ranks", row.ranks},
         {"set", row.parameters},
         {"measured", row.measured},
         {"fitted", predictions[i]},
         {"left_out", left_out.empty() ? ordered_json() : ordered_json(left_out[i])}});
  }
  return json.dump(2) + "\n";
}

} // namespace hypermile::report
