#include "report/components.hpp"

#include "units/wrapped.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace hypermile::report {
namespace {

using nlohmann::ordered_json;

/// In reports: a figure that nobody has checked must not look like one that was.
std::string_view mark_of(model::Evidence evidence) {
  switch (evidence) {
  case model::Evidence::source:
    return "";
  case model::Evidence::unchecked:
    return "(unchecked) ";
  case model::Evidence::estimate:
    break;
  }
  return "(estimate) ";
}

std::string_view key_of(model::Evidence evidence) {
  switch (evidence) {
  case model::Evidence::source:
    return "source";
  case model::Evidence::unchecked:
    return "unchecked";
  case model::Evidence::estimate:
    break;
  }
  return "estimate";
}

} // namespace

std::string print_components(const std::vector<model::Component>& components) {
  std::size_t width = 0;
  for (const model::Component& component : components)
    width = std::max(width, component.name.size());
  std::string text;
  for (const auto& [kind, kind_name] : model::component_kinds) {
    const auto is_one = [kind = kind](const model::Component& c) { return c.kind == kind; };
    if (std::ranges::none_of(components, is_one))
      continue;
    text += fmt::format("{}\n", kind_name);
    for (const model::Component& component : components)
      if (is_one(component))
        text += labelled(fmt::format("  {}", component.name), component.description, width + 4);
  }
  return text;
}

std::string print_component(const model::Component& component) {
  constexpr std::size_t width = 18;
  std::string text = wrapped(fmt::format("{} ({}): {}", component.name,
                                         model::name_of(component.kind), component.description));
  for (const model::Figure& figure : component.figures) {
    text += labelled(fmt::format("  {}", figure.name), figure.value, width);
    text += labelled("", fmt::format("{}{}", mark_of(figure.evidence), figure.origin), width);
  }
  return text;
}

std::string components_json(const std::vector<model::Component>& components) {
  ordered_json list = ordered_json::array();
  for (const model::Component& component : components) {
    ordered_json figures = ordered_json::array();
    for (const model::Figure& figure : component.figures)
      figures.push_back({{"name", figure.name},
                         {"value", figure.value},
                         {"evidence", key_of(figure.evidence)},
                         {"origin", figure.origin}});
    list.push_back({{"name", component.name},
                    {"kind", model::name_of(component.kind)},
                    {"description", component.description},
                    {"figures", std::move(figures)}});
  }
  const ordered_json json{{"schema", "hypermile/components/1"}, {"components", std::move(list)}};
  return fmt::format("{}\n", json.dump(2));
}

} // namespace hypermile::report
