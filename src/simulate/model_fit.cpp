#include "simulate/model_fit.hpp"

#include "units/csv.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hypermile::simulate {
namespace {

struct Column {
  std::string_view name;
  Measured what;
  double unit; ///< in s or J
};
constexpr std::array<Column, 3> columns{{{"time_s", Measured::time, 1},
                                         {"energy_j", Measured::energy, 1},
                                         {"energy_wh", Measured::energy, 3600}}};

/// Those of the first line that are none of the file's own: parameters, as the model will tell.
std::vector<std::string> parameters_of(std::string_view text) {
  std::vector<std::string> names;
  std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  while (!line.empty()) {
    const std::string_view name = line.substr(0, line.find(','));
    line.remove_prefix(std::min(line.size(), name.size() + 1));
    if (!name.empty() && name != "ranks" &&
        std::ranges::find(columns, name, &Column::name) == columns.end())
      names.emplace_back(name);
  }
  return names;
}

const Column& measured_column(const CsvReader& csv, std::optional<Measured> to) {
  const Column* found = nullptr;
  for (const Column& column : columns) {
    if (!csv.has(column.name) || (to && column.what != *to))
      continue;
    if (found != nullptr)
      csv.fail(fmt::format("{} and {} are both there", found->name, column.name),
               found->what == column.what ? "one of them" : "--to time, or --to energy");
    found = &column;
  }
  if (found == nullptr)
    csv.fail("there is no column of what was measured", "time_s, energy_j or energy_wh");
  return *found;
}

} // namespace

Observations parse_observations(std::string_view text, const std::string& file,
                                std::optional<Measured> to) {
  const std::vector<std::string> parameters = parameters_of(text);
  CsvReader::Columns known{.needed = {"ranks"}, .example = "ranks,time_s"};
  for (const Column& column : columns)
    known.optional.push_back(column.name);
  known.optional.insert(known.optional.end(), parameters.begin(), parameters.end());
  CsvReader csv(text, file, known);
  const Column& column = measured_column(csv, to);
  Observations observations{.what = column.what, .rows = {}};
  while (csv.next()) {
    Observation row{.ranks = csv.count("ranks", "a number of ranks"),
                    .parameters = {},
                    .measured = column.unit * csv.number(column.name, "what was measured")};
    if (row.ranks < 1 || row.ranks > most_ranks)
      csv.fail(fmt::format("{} ranks are not between 1 and {}", row.ranks, most_ranks));
    if (!(row.measured > 0))
      csv.fail(fmt::format("{} is not positive", column.name));
    for (const std::string& name : parameters)
      row.parameters[name] = csv.number(name, fmt::format("a value of {}", name));
    observations.rows.push_back(std::move(row));
  }
  if (observations.rows.empty())
    csv.fail("there are no rows");
  return observations;
}

namespace {

class Fitter {
public:
  Fitter(const ModelFitRequest& request, const Observations& observations,
         const Installation& installation, const Listener& listener)
      : request_(request), observations_(observations), installation_(installation),
        listener_(listener) {}

  /// What the model makes of all rows.
  std::vector<double> predict(std::span<const double> values) {
    listener_.status(fmt::format("fitting: parameters tried {} times", ++tried_));
    std::vector<double> predicted;
    for (const Observation& row : observations_.rows) {
      Experiment experiment = request_.experiment;
      for (std::size_t i = 0; i < values.size(); ++i)
        experiment.parameters[request_.parameters[i]] = values[i];
      predicted.push_back(run(experiment, row));
    }
    return predicted;
  }

  /// Where the search begins.
  std::vector<double> start() {
    Experiment experiment = request_.experiment;
    experiment.ranks = observations_.rows.front().ranks;
    const auto known = declared(experiment, observations_.rows.front());
    std::vector<double> values;
    for (const std::string& name : request_.parameters) {
      const auto found =
          std::ranges::find(known, name, [](const auto& each) { return each.first; });
      if (found == known.end())
        throw Error(ErrorKind::config, fmt::format("{} has no parameter '{}' to estimate",
                                                   request_.experiment.model, name));
      if (observations_.rows.front().parameters.contains(name))
        throw Error(
            ErrorKind::config,
            fmt::format("parameter '{}' is a column of the data, and cannot be estimated", name));
      values.push_back(found->second);
    }
    return values;
  }

private:
  Simulation simulated(Experiment experiment, const Observation& row) const {
    experiment.ranks = row.ranks;
    experiment.uncontended = true;
    for (const auto& [name, value] : row.parameters)
      experiment.parameters[name] = value;
    return simulate::run(
        experiment, installation_,
        {.step = [](const std::string&) {}, .status = [](const std::string&) {}, .printed = {}});
  }
  double run(const Experiment& experiment, const Observation& row) const {
    const Simulation simulation = simulated(experiment, row);
    const SimulatedRun& unscaled = simulation.runs.front();
    if (observations_.what == Measured::time)
      return unscaled.time.value();
    const Watts idle = request_.with_idle_nodes ? simulation.idle_nodes.power : Watts{};
    return (unscaled.energy + idle * unscaled.time).value();
  }
  std::vector<std::pair<std::string, double>> declared(const Experiment& experiment,
                                                       const Observation& row) const {
    return simulated(experiment, row).model->parameters;
  }

  const ModelFitRequest& request_;
  const Observations& observations_;
  const Installation& installation_;
  const Listener& listener_;
  std::size_t tried_ = 0;
};

} // namespace

ModelFit fit_model(const ModelFitRequest& request, const Observations& observations,
                   const Installation& installation, const Listener& listener) {
  Fitter fitter(request, observations, installation, listener);
  std::vector<double> measured;
  for (const Observation& row : observations.rows)
    measured.push_back(row.measured);
  const std::vector<double> start = fitter.start();
  return {.start = start,
          .fit =
              estimate::fit([&](std::span<const double> values) { return fitter.predict(values); },
                            measured, start)};
}

} // namespace hypermile::simulate
