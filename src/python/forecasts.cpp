#include "python/bindings.hpp"
#include "python/columns.hpp"
#include "python/interruptible.hpp"

#include "io/plan_json.hpp"
#include "io/text_file.hpp"
#include "model/dependency/prediction.hpp"
#include "model/layout.hpp"
#include "runtime/decide/node_problem.hpp"
#include "runtime/exchange/run_report.hpp"
#include "select/dependency_search.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <pybind11/stl.h>

#include <memory>
#include <utility>

namespace hypermile::python {
namespace {

namespace py = pybind11;
namespace dependency = model::dependency;
using model::Gear;

/// As long as `hypermile select` searches for a run.
constexpr Seconds longest_search{10};

struct NamedNodes {
  std::vector<std::string> names;
  std::vector<dependency::Node> nodes;
};

/// A timeline with the machines that it is of. Nothing changes once it is made, so that threads
/// may share it.
class Forecast {
public:
  Forecast(std::shared_ptr<const model::Timeline> timeline, NamedNodes nodes,
           const dependency::Protocol& protocol)
      : timeline_(std::move(timeline)), nodes_(std::move(nodes)),
        dependencies_(*timeline_, protocol), predictor_(dependencies_, nodes_.nodes) {}
  Forecast(const Forecast&) = delete;
  Forecast& operator=(const Forecast&) = delete;

  [[nodiscard]] const model::Timeline& timeline() const { return *timeline_; }
  [[nodiscard]] const NamedNodes& nodes() const { return nodes_; }
  [[nodiscard]] const dependency::Dependencies& dependencies() const { return dependencies_; }
  [[nodiscard]] const dependency::Predictor& predictor() const { return predictor_; }

  /// S of every rank. Throws pybind11::value_error for gears that the nodes do not have.
  [[nodiscard]] std::vector<double> scales(const std::vector<Gear>& gears) const {
    if (gears.size() != predictor_.node_count())
      throw py::value_error(fmt::format("gears: there are {} gears, and the run has {} nodes",
                                        gears.size(), predictor_.node_count()));
    for (std::size_t node = 0; node < gears.size(); ++node)
      if (gears[node] >= predictor_.gear_count(node))
        throw py::value_error(
            fmt::format("gears: gears[{}]: the node has {} gears, none of them is gear {}", node,
                        predictor_.gear_count(node), gears[node]));
    std::vector<double> scales;
    predictor_.scales(gears, scales);
    return scales;
  }

private:
  std::shared_ptr<const model::Timeline> timeline_;
  NamedNodes nodes_;
  dependency::Dependencies dependencies_;
  dependency::Predictor predictor_;
};

using SharedForecast = std::shared_ptr<Forecast>;
using SharedTimeline = std::shared_ptr<model::Timeline>;

SharedForecast make(const SharedTimeline& timeline, NamedNodes nodes,
                    const dependency::Protocol& protocol) {
  require_complete(*timeline);
  return std::make_shared<Forecast>(timeline, std::move(nodes), protocol);
}

SharedForecast forecast_of_run(const SharedTimeline& timeline, const std::string& report) {
  const std::string text = io::read_text_file(report);
  runtime::RunReport run;
  try {
    run = runtime::decode_run(text);
  } catch (const Error& error) {
    throw Error(ErrorKind::config, fmt::format("{}: {}", report, error.what()),
                "simulate again: hypermile simulate --report FOLDER ... -- PROGRAM");
  }
  if (timeline->ranks.size() != run.ranks.size())
    throw Error(ErrorKind::model, fmt::format("the timeline is of {} ranks, the run of {}",
                                              timeline->ranks.size(), run.ranks.size()));
  NamedNodes nodes{.names = {}, .nodes = runtime::nodes_of(run.ranks)};
  for (const dependency::Node& node : nodes.nodes)
    nodes.names.push_back(run.ranks[node.ranks.front()].node.name);
  return make(timeline, std::move(nodes), run.protocol.value_or(dependency::Protocol{}));
}

SharedForecast forecast_on_platform(const SharedTimeline& timeline, const model::Platform& platform,
                                    std::size_t most_per_node) {
  const auto placed =
      model::place(platform, timeline->ranks.size(), {.most_per_node = most_per_node});
  NamedNodes nodes{.names = names_of(placed.nodes), .nodes = {}};
  for (const model::NodeType* type : placed.nodes)
    nodes.nodes.push_back({*type, {}});
  for (std::uint32_t rank = 0; rank < placed.node_of_rank.size(); ++rank)
    nodes.nodes[placed.node_of_rank[rank]].ranks.push_back(rank);
  return make(timeline, std::move(nodes), {});
}

std::optional<Hertz> frequency(const dependency::Node& node, Gear gear) {
  return node.type.frequencies_known ? std::optional(node.type.gears.frequency(gear))
                                     : std::nullopt;
}

py::list node_rows(const Forecast& forecast) {
  py::list rows;
  for (std::size_t n = 0; n < forecast.nodes().nodes.size(); ++n) {
    const dependency::Node& node = forecast.nodes().nodes[n];
    std::vector<std::optional<double>> frequencies;
    for (Gear gear = 0; gear < node.type.gears.size(); ++gear) {
      const auto known = frequency(node, gear);
      frequencies.push_back(known ? std::optional(io::gigahertz(*known)) : std::nullopt);
    }
    py::dict row;
    row["name"] = forecast.nodes().names[n];
    row["type"] = node.type.name;
    row["ranks"] = node.ranks;
    row["frequencies_ghz"] = frequencies;
    rows.append(row);
  }
  return rows;
}

py::dict predict_run(const Forecast& forecast, const std::vector<Gear>& gears) {
  (void)forecast.scales(gears);
  dependency::Predictor::Workspace workspace;
  return dictionary(forecast.predictor().predict(gears, workspace));
}

py::list account_rows(const Forecast& forecast, const std::vector<Gear>& gears) {
  const auto scales = forecast.scales(gears);
  const auto accounts = forecast.dependencies().accounts(scales);
  const auto slack = forecast.dependencies().slack(scales);
  py::list rows;
  for (std::size_t r = 0; r < accounts.size(); ++r) {
    py::dict row;
    row["rank"] = r;
    row["computing_s"] = accounts[r].computing.value();
    row["messages_s"] = accounts[r].inside.value();
    row["waiting_s"] = accounts[r].waiting.value();
    row["slack_s"] = slack[r].typical.value();
    rows.append(row);
  }
  return rows;
}

std::string choose_for_run(const SharedForecast& forecast, const select::Request& request,
                           const io::ProblemSource& source) {
  return interruptible([forecast, request, source](const auto& stop) {
    select::SearchLimits limits = select::limits_of_about(longest_search, forecast->predictor());
    limits.out_of_time = [&stop] { return stop.load(); };
    const select::Plan plan = select::choose(forecast->predictor(), request, limits).plan;
    std::vector<std::optional<Hertz>> frequencies;
    for (std::size_t n = 0; n < plan.gears.size(); ++n)
      frequencies.push_back(frequency(forecast->nodes().nodes[n], plan.gears[n]));
    auto json = io::run_plan_to_json(plan, frequencies, std::nullopt);
    json["request"] = io::request_to_json(source, request);
    return json.dump();
  });
}

} // namespace

void bind_forecasts(py::module_& module) {
  using WithoutPython = py::call_guard<py::gil_scoped_release>;
  py::class_<Forecast, SharedForecast>(module, "Forecast")
      .def("nodes", node_rows)
      .def_property_readonly("baseline",
                             [](const Forecast& forecast) {
                               const model::Baseline& baseline = forecast.predictor().baseline();
                               return std::pair{baseline.time.value(), baseline.energy.value()};
                             })
      .def("predict", predict_run, py::arg("gears"))
      .def("ranks", account_rows, py::arg("gears"))
      .def(
          "calls",
          [](const Forecast& forecast, const std::vector<Gear>& gears) {
            const auto schedule =
                forecast.dependencies().schedule(forecast.timeline(), forecast.scales(gears));
            return call_columns(forecast.timeline(), &schedule);
          },
          py::arg("gears"))
      .def("choose", choose_for_run, py::arg("request"), py::arg("source"));
  module.def("forecast_of_run", forecast_of_run, py::arg("timeline"), py::arg("report"),
             WithoutPython());
  module.def("forecast_on_platform", forecast_on_platform, py::arg("timeline"), py::arg("platform"),
             py::arg("most_per_node"), WithoutPython());
}

} // namespace hypermile::python
