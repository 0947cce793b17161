#include "report/reproduction.hpp"

#include <nlohmann/json.hpp>

#include <optional>

namespace hypermile::report {
namespace {

using nlohmann::ordered_json;
using study::ComparedLine;
using study::ComparedProgram;
using study::Comparison;
using study::PredictionErrors;

template <class Q> ordered_json number_or_null(const std::optional<Q>& quantity) {
  return quantity ? ordered_json(quantity->value()) : ordered_json();
}

ordered_json lines_json(const std::vector<ComparedLine>& lines) {
  auto all = ordered_json::array();
  for (const ComparedLine& line : lines) {
    ordered_json json{{"method", line.method}, {"published", line.published}};
    const auto percent = [&](double study::Effect::*part) {
      return line.effect ? ordered_json(100 * ((*line.effect).*part)) : ordered_json();
    };
    json["slowdown_percent"] = percent(&study::Effect::slowdown);
    json["saving_percent"] = percent(&study::Effect::saving);
    json["distance_points"] = percent(&study::Effect::distance);
    all.push_back(std::move(json));
  }
  return all;
}

ordered_json errors_json(const std::vector<PredictionErrors>& models) {
  auto all = ordered_json::array();
  for (const PredictionErrors& errors : models)
    all.push_back({{"model", errors.model},
                   {"largest_time_error_percent", 100 * errors.largest_time},
                   {"mean_time_error_percent", 100 * errors.mean_time},
                   {"largest_energy_error_percent", 100 * errors.largest_energy},
                   {"mean_energy_error_percent", 100 * errors.mean_energy}});
  return all;
}

/// Null: there is none.
ordered_json text_or_null(const std::string& text) {
  return text.empty() ? ordered_json() : ordered_json(text);
}

ordered_json program_json(const ComparedProgram& program) {
  const auto& published = program.published;
  const auto& unscaled = program.unscaled;
  return {{"program", published.name},
          {"ranks", published.ranks},
          {"status", program.at_hand ? study::name_of(program.status) : "no program"},
          {"reason", text_or_null(program.reason)},
          {"published_time_s", number_or_null(published.time)},
          {"published_energy_j", number_or_null(published.energy)},
          {"time_s", unscaled ? ordered_json(unscaled->time.value()) : ordered_json()},
          {"energy_j", unscaled ? ordered_json(unscaled->energy.value()) : ordered_json()},
          {"lines", lines_json(program.lines)},
          {"errors", errors_json(program.errors)}};
}

ordered_json comparison_json(const Comparison& comparison) {
  const auto& table = comparison.table;
  ordered_json json{{"table", table.name},
                    {"title", table.title},
                    {"source", table.source},
                    {"published_class", text_or_null(table.class_name)},
                    {"class", comparison.class_name},
                    {"platform", table.platform},
                    {"programs", ordered_json::array()},
                    {"compared", comparison.compared()},
                    {"means", lines_json(comparison.means())},
                    {"errors", errors_json(comparison.errors())},
                    {"published_time_error_percent",
                     table.time_error ? ordered_json(100 * *table.time_error) : ordered_json()},
                    {"differences", table.differences}};
  for (const ComparedProgram& program : comparison.programs)
    json["programs"].push_back(program_json(program));
  return json;
}

std::string printed(const ordered_json& json) {
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

} // namespace

std::string reproduction_json(const std::vector<Comparison>& comparisons) {
  ordered_json json{{"schema", "hypermile/reproduction/1"}, {"tables", ordered_json::array()}};
  for (const Comparison& comparison : comparisons)
    json["tables"].push_back(comparison_json(comparison));
  return printed(json);
}

std::string tables_json(const std::vector<ListedTable>& tables) {
  ordered_json json{{"schema", "hypermile/published-tables/1"}, {"tables", ordered_json::array()}};
  for (const auto& table : tables)
    json["tables"].push_back({{"table", table.name},
                              {"title", table.title},
                              {"source", table.source},
                              {"published_class", text_or_null(table.class_name)},
                              {"platform", text_or_null(table.platform)},
                              {"among_all", table.among_all}});
  return printed(json);
}

} // namespace hypermile::report
