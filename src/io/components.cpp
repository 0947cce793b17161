#include "io/components.hpp"

#include "io/component_yaml.hpp"
#include "io/text_file.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

namespace hypermile::io {
namespace {

namespace fs = std::filesystem;

/// Whether the swap is for this component.
bool concerns(const Swap& swap, const model::Component& component) {
  return swap.old_name == component.name || swap.old_name == model::name_of(component.kind);
}

} // namespace

Swap parse_swap(const std::string& text) {
  const auto equals = text.find('=');
  Swap swap{text.substr(0, equals), equals == std::string::npos ? "" : text.substr(equals + 1)};
  const bool has_old =
      is_component_name(swap.old_name) || model::component_kind_named(swap.old_name);
  if (!has_old || !is_component_name(swap.new_name))
    throw Error(ErrorKind::config, fmt::format("'{}' is not OLD=NEW", text),
                "cpu=epyc-9654, or xeon-x5660=epyc-9654");
  return swap;
}

Components::Components(const std::string& platform_file, const ComponentSource& source)
    : folders_{component_folder(fs::path(platform_file).parent_path())}, swaps_(source.swaps) {
  if (!source.platform_folder.empty())
    folders_.push_back(component_folder(source.platform_folder));
}

const model::Component& Components::load(const std::string& name) {
  if (const auto known = loaded_.find(name); known != loaded_.end())
    return known->second;
  return loaded_.emplace(name, load_component(find_component(name, folders_))).first->second;
}

const model::Component& Components::get(const std::string& name) {
  const model::Component& old = load(name);
  asked_.insert(name);
  const auto swap =
      std::ranges::find_if(swaps_, [&](const Swap& candidate) { return concerns(candidate, old); });
  if (swap == swaps_.end())
    return old;
  replaced_[swap->old_name].insert(name);
  const model::Component& replacement = load(swap->new_name);
  if (replacement.kind != old.kind)
    throw Error(ErrorKind::config,
                fmt::format("--swap {}={}: '{}' is a {}, but '{}' is a {}", swap->old_name,
                            swap->new_name, old.name, model::name_of(old.kind), replacement.name,
                            model::name_of(replacement.kind)),
                "a component of the same kind; hypermile platform components lists them");
  return replacement;
}

void Components::check_swaps() const {
  for (const Swap& swap : swaps_) {
    const auto replaced = replaced_.find(swap.old_name);
    if (replaced == replaced_.end())
      throw Error(ErrorKind::config,
                  fmt::format("--swap {}={}: the platform has no component '{}'", swap.old_name,
                              swap.new_name, swap.old_name),
                  asked_.empty() ? "a platform that is composed of components"
                                 : fmt::format("one of {}", fmt::join(asked_, ", ")));
    if (replaced->second.size() > 1)
      throw Error(ErrorKind::config,
                  fmt::format("--swap {}={}: the platform has several components of this kind: {}",
                              swap.old_name, swap.new_name, fmt::join(replaced->second, ", ")),
                  fmt::format("{}={}", *replaced->second.begin(), swap.new_name));
  }
}

std::string find_component(const std::string& name, const std::vector<std::string>& folders) {
  std::set<std::string> known;
  for (const std::string& folder : folders) {
    const fs::path file = fs::path(folder) / fmt::format("{}.yaml", name);
    if (is_component_name(name) && fs::is_regular_file(file))
      return file;
    for (std::string& other : names_in(folder, ".yaml"))
      known.insert(std::move(other));
  }
  throw Error(ErrorKind::config, fmt::format("there is no component '{}'", name),
              known.empty() ? fmt::format("a file {}.yaml in {}", name, fmt::join(folders, " or "))
                            : fmt::format("one of {}", fmt::join(known, ", ")));
}

model::Component load_component(const std::string& path) {
  model::Component component = parse_component(read_text_file(path), path);
  if (component.name != fs::path(path).stem())
    throw Error(ErrorKind::config,
                fmt::format("{}: the name of the component is '{}'", path, component.name),
                "the file and the component must have the same name");
  return component;
}

std::string component_folder(const std::string& platform_folder) {
  return fs::path(platform_folder) / "components";
}

} // namespace hypermile::io
