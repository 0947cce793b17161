#include "io/component_yaml.hpp"

#include "io/machine_yaml.hpp"
#include "units/parse.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace hypermile::io {
namespace {

using model::ComponentKind;

/// Reads figures, and keeps them as they are written.
class FigureReader {
public:
  /// The value of a figure whose place has `value` and where that comes from.
  YamlReader operator()(const YamlReader& at) {
    at.expect_keys({"value", "source", "unchecked", "estimate"});
    YamlReader value = at.at("value");
    std::vector<model::Figure> found;
    for (const auto& [key, evidence] : {std::pair{"source", model::Evidence::source},
                                        {"unchecked", model::Evidence::unchecked},
                                        {"estimate", model::Evidence::estimate}})
      if (const auto origin = at.find(key))
        found.push_back({at.path(), value.as_written(), evidence, not_empty_text(*origin)});
    if (found.size() != 1)
      at.fail(found.empty() ? "does not say where it comes from" : "has more than one origin",
              "one of source: WHERE, unchecked: WHERE, estimate: HOW");
    figures_.push_back(std::move(found.front()));
    return value;
  }

  [[nodiscard]] const std::vector<model::Figure>& figures() const { return figures_; }

private:
  static std::string not_empty_text(const YamlReader& at) {
    if (at.text().empty())
      at.fail("is empty", "where the figure is to be found, or how it was estimated");
    return at.text();
  }

  std::vector<model::Figure> figures_;
};

constexpr std::string_view schema = "hypermile/component/1";

model::Processor read_processor(const YamlReader& at, FigureReader& figure) {
  at.expect_keys({"schema", "name", "kind", "description", "cores", "speed", "gears", "power"});
  const std::size_t cores = figure(at.at("cores")).count();
  const Speed speed = positive(figure(at.at("speed")), parse_speed);
  model::GearTable gears = read_gears(figure(at.at("gears")));
  auto power = read_power(at.at("power"), gears, std::ref(figure));
  return {cores, speed, std::move(gears), std::move(power)};
}

model::ConstantLoad read_load(const YamlReader& at, FigureReader& figure) {
  at.expect_keys({"schema", "name", "kind", "description", "power"});
  return {not_negative(figure(at.at("power")), parse_watts)};
}

model::Link read_component_link(const YamlReader& at, FigureReader& figure) {
  at.expect_keys({"schema", "name", "kind", "description", "bandwidth", "latency"});
  const Bandwidth bandwidth = positive(figure(at.at("bandwidth")), parse_bandwidth);
  return {bandwidth, not_negative(figure(at.at("latency")), parse_seconds)};
}

model::Switch read_switch(const YamlReader& at, FigureReader& figure) {
  at.expect_keys({"schema", "name", "kind", "description", "ports", "power"});
  const std::size_t ports = figure(at.at("ports")).count();
  return {ports, not_negative(figure(at.at("power")), parse_watts)};
}

decltype(model::Component::what) read_what(ComponentKind kind, const YamlReader& at,
                                           FigureReader& figure) {
  switch (kind) {
  case ComponentKind::cpu:
  case ComponentKind::node:
    return read_processor(at, figure);
  case ComponentKind::network:
    return read_component_link(at, figure);
  case ComponentKind::network_switch:
    return read_switch(at, figure);
  case ComponentKind::chassis:
  case ComponentKind::nic:
  case ComponentKind::accelerator:
    break;
  }
  return read_load(at, figure);
}

ComponentKind read_kind(const YamlReader& at) {
  const auto kind = model::component_kind_named(at.text());
  if (!kind) {
    std::vector<std::string_view> names;
    for (const auto& row : model::component_kinds)
      names.push_back(row.name);
    at.fail(fmt::format("'{}' is no kind of components", at.text()),
            fmt::format("one of {}", fmt::join(names, ", ")));
  }
  return *kind;
}

} // namespace

bool is_component_name(std::string_view name) {
  constexpr std::string_view letters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  constexpr std::string_view signs = ".+_-";
  return !name.empty() && signs.find(name.front()) == std::string_view::npos &&
         std::ranges::all_of(name,
                             [&](char c) {
                               return letters.find(c) != std::string_view::npos ||
                                      signs.find(c) != std::string_view::npos;
                             }) &&
         !model::component_kind_named(name);
}

model::Component parse_component(const std::string& text, const std::string& file) {
  const YamlReader root = YamlReader::parse(text, file);
  expect_schema(root, schema);
  const YamlReader name = root.at("name");
  if (!is_component_name(name.text()))
    name.fail(fmt::format("'{}' is no name for a component", name.text()),
              "letters, digits, '.', '+', '_' and '-', and no kind of components");
  const ComponentKind kind = read_kind(root.at("kind"));
  std::string description = root.at("description").text();
  FigureReader figure;
  auto what = read_what(kind, root, figure);
  return {name.text(), kind, std::move(description), figure.figures(), std::move(what)};
}

} // namespace hypermile::io
