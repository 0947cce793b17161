#include "python/bindings.hpp"

#include "io/plan_json.hpp"
#include "io/platform_text.hpp"
#include "io/platform_yaml.hpp"

#include <pybind11/stl.h>

#include <memory>

namespace hypermile::python {
namespace {

namespace py = pybind11;
using model::GearPower;
using model::NodeType;
using model::Platform;

std::vector<double> watts(const NodeType& type, Watts GearPower::*member) {
  std::vector<double> values;
  for (const GearPower& power : type.power)
    values.push_back((power.*member).value());
  return values;
}

/// None where only ratios of frequencies are known. Under power limits a platform states at which
/// frequencies arithmetic is as fast.
py::object frequencies(const NodeType& type) {
  if (!type.frequencies_known && type.power_limits.empty())
    return py::none();
  std::vector<double> values;
  for (model::Gear gear = 0; gear < type.gears.size(); ++gear)
    values.push_back(io::gigahertz(type.gears.frequency(gear)));
  return py::cast(values);
}

/// None where gears leave it alone.
template <class Q, class ToNumber>
py::object by_gear(const std::vector<Q>& values, const ToNumber& to_number) {
  if (values.empty())
    return py::none();
  std::vector<double> numbers;
  for (const Q value : values)
    numbers.push_back(to_number(value));
  return py::cast(numbers);
}

py::dict figures(const Platform::Group& group) {
  const NodeType& type = group.type;
  py::dict figures;
  figures["name"] = type.name;
  figures["count"] = group.count;
  figures["cores"] = type.cores;
  figures["speed_gf"] = type.speed.value() / 1e9;
  figures["frequencies_ghz"] = frequencies(type);
  figures["computing_w"] = watts(type, &GearPower::computing);
  figures["waiting_w"] = watts(type, &GearPower::waiting);
  figures["idle_w"] = watts(type, &GearPower::idle);
  figures["site"] = type.site;
  figures["hosts"] = type.hosts;
  figures["power_limits_w"] = by_gear(type.power_limits, [](Watts limit) { return limit.value(); });
  figures["uncore_ghz"] = by_gear(type.uncore, io::gigahertz);
  return figures;
}

py::list types(const Platform& platform) {
  py::list list;
  for (const Platform::Group& group : platform.groups)
    list.append(figures(group));
  return list;
}

} // namespace

void bind_platforms(py::module_& module) {
  py::class_<Platform, std::shared_ptr<Platform>>(module, "Platform")
      .def_readonly("name", &Platform::name)
      .def_readonly("description", &Platform::description)
      .def_readonly("scalable", &Platform::scalable)
      .def("types", types)
      .def("text", io::platform_text);
  module.def(
      "load_platform",
      [](const std::string& name, const std::string& folder) {
        return io::load_platform(io::find_platform(name, folder),
                                 {.platform_folder = folder, .swaps = {}});
      },
      py::arg("name"), py::arg("folder"));
  module.def(
      "parse_platform",
      [](const std::string& text, const std::string& file, const std::string& folder) {
        return io::parse_platform(text, file, {.platform_folder = folder, .swaps = {}});
      },
      py::arg("text"), py::arg("file"), py::arg("folder"));
  module.def("bundled_platforms", io::bundled_platforms, py::arg("folder"));
}

} // namespace hypermile::python
