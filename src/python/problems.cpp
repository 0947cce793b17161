#include "python/bindings.hpp"
#include "python/interruptible.hpp"

#include "io/plan_json.hpp"
#include "io/plan_reader.hpp"
#include "io/power_cap.hpp"
#include "io/problem_json.hpp"
#include "io/request_words.hpp"
#include "io/text_file.hpp"
#include "io/workload_yaml.hpp"
#include "select/selector.hpp"
#include "units/error.hpp"
#include "units/parse.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <pybind11/stl.h>

#include <memory>
#include <span>
#include <string_view>

namespace hypermile::python {
namespace {

namespace py = pybind11;
using model::Problem;

using SharedProblem = std::shared_ptr<Problem>;

/// An argument that its user wrote, in the words of the command line.
template <class Read> auto argument(std::string_view name, const std::string& text, Read read) {
  try {
    return read(text);
  } catch (const Error& error) {
    throw py::value_error(fmt::format("{}: {}", name, error.what()));
  }
}

template <class Value, class Read>
void take(std::optional<Value>& value, std::string_view name,
          const std::optional<std::string>& text, Read read) {
  if (text)
    value = argument(name, *text, read);
}

py::dict predict_nodes(const Problem& problem, const std::vector<model::Gear>& gears) {
  const auto of_units = argument(
      "gears", "", [&](const std::string&) { return io::gears_of_units(problem, gears, "gears"); });
  return dictionary(model::predict(problem, of_units));
}

std::vector<double> frequencies_ghz(const Problem& problem, std::size_t node) {
  if (node >= problem.node_count())
    throw py::index_error(fmt::format("there are {} nodes", problem.node_count()));
  const model::GearTable& gears = problem.gears(node / problem.nodes_per_unit());
  std::vector<double> values;
  for (model::Gear gear = 0; gear < gears.size(); ++gear)
    values.push_back(io::gigahertz(gears.frequency(gear)));
  return values;
}

std::string choose_for_problem(const SharedProblem& problem, select::Request request,
                               const io::ProblemSource& source) {
  request.certify = true;
  return interruptible([problem, request, source](const auto& /*stop*/) {
    const select::Plan plan = select::choose(*problem, request);
    auto json = io::plan_to_json(*problem, plan, std::nullopt);
    json["request"] = io::request_to_json(source, request);
    return json.dump();
  });
}

std::string front_of(const SharedProblem& problem) {
  return interruptible([problem](const auto& /*stop*/) {
    return io::front_to_json(*problem, select::Selector().front(*problem)).dump();
  });
}

Problem with_energy_model(const Problem& problem, const std::string& name) {
  if (name != "homogeneous" && name != "rauber")
    throw py::value_error(fmt::format("energy_model: '{}' is none of homogeneous, rauber", name));
  return model::with_energy_model(problem, name == "rauber" ? model::ModelKind::rauber
                                                            : model::ModelKind::homogeneous);
}

/// The help of each row of a table, by name.
template <class Row> py::dict helps(std::span<const Row> rows) {
  py::dict helps;
  for (const Row& row : rows)
    helps[py::str(row.name)] = row.help;
  return helps;
}

void bind_problem(py::module_& module) {
  using WithoutPython = py::call_guard<py::gil_scoped_release>;
  py::class_<Problem, SharedProblem>(module, "Problem")
      .def_property_readonly("model",
                             [](const Problem& problem) { return io::name_of(problem.kind()); })
      .def_property_readonly("node_count", &Problem::node_count)
      .def_property_readonly(
          "baseline",
          [](const Problem& problem) {
            return std::pair{problem.baseline().time.value(), problem.baseline().energy.value()};
          })
      .def("frequencies_ghz", frequencies_ghz, py::arg("node"))
      .def("predict", predict_nodes, py::arg("gears"))
      .def("with_energy_model", with_energy_model, py::arg("name"))
      .def("choose", choose_for_problem, py::arg("request"), py::arg("source"))
      .def("front", front_of);
  module.def("parse_problem", io::parse_problem, py::arg("text"), py::arg("file"), WithoutPython());
  module.def("parse_workload", io::parse_workload, py::arg("text"), py::arg("file"),
             py::arg("platform"), WithoutPython());
  module.def("read_text_file", io::read_text_file, py::arg("path"));
}

using Words = std::optional<std::string>;

/// Throws pybind11::value_error, which names the argument, for words that the command line refuses.
select::Request request_of(const std::string& method, const std::string& objective,
                           const Words& weight, const Words& max_slowdown,
                           const Words& energy_budget, const std::vector<std::string>& power_caps) {
  select::Request request;
  request.method = argument("method", method, io::parse_method);
  request.objective = argument("objective", objective, io::parse_objective);
  take(request.weight, "weight", weight, io::parse_weight);
  select::Constraints& bounds = request.constraints;
  take(bounds.max_slowdown, "max_slowdown", max_slowdown, parse_slowdown);
  take(bounds.energy_budget, "energy_budget", energy_budget, io::parse_energy_budget);
  for (const std::string& text : power_caps) {
    const auto [peak, power] = argument("power_cap", text, io::parse_power_cap);
    (peak ? bounds.peak_power_cap : bounds.average_power_cap) = power;
  }
  return request;
}

} // namespace

py::dict dictionary(const model::Prediction& prediction) {
  py::dict values;
  values["time_s"] = prediction.time.value();
  values["energy_j"] = prediction.energy.value();
  values["p_norm"] = prediction.p_norm;
  values["e_norm"] = prediction.e_norm;
  values["distance"] = prediction.distance;
  return values;
}

void bind_problems(py::module_& module) {
  py::class_<select::Request>(module, "Request")
      .def(py::init(&request_of), py::arg("method"), py::arg("objective"), py::arg("weight"),
           py::arg("max_slowdown"), py::arg("energy_budget"), py::arg("power_caps"));
  py::class_<io::ProblemSource>(module, "Source")
      .def(py::init([](const std::string& problem, const std::string& platform,
                       const std::string& workload, const std::string& energy_model) {
             return io::ProblemSource{problem, platform, workload, energy_model};
           }),
           py::arg("problem") = "", py::arg("platform") = "", py::arg("workload") = "",
           py::arg("energy_model") = "");
  bind_problem(module);
  module.def("methods", [] { return helps(select::methods()); });
  module.def("objectives", [] { return helps(select::objectives()); });
}

} // namespace hypermile::python
