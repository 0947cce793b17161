#pragma once

#include "model/component.hpp"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace hypermile::io {

/// OLD=NEW: the component NEW in the place of OLD, which is a component or a kind of components.
struct Swap {
  std::string old_name;
  std::string new_name;
};

/// Reads "OLD=NEW". Throws Error{config} for anything else.
Swap parse_swap(const std::string& text);

/// Where the components of a platform come from.
struct ComponentSource {
  /// The bundled platforms, whose folder `components` comes after that beside the platform. Empty:
  /// there are none.
  std::string platform_folder{};
  std::vector<Swap> swaps{};
};

/// The components that one platform is composed of.
class Components {
public:
  /// `platform_file`: its folder may have components, too.
  Components(const std::string& platform_file, const ComponentSource& source);

  /// The component of this name, or what it is swapped for. It lives as long as this object. Throws
  /// Error{config} if there is none, if its file cannot be read, and for a swap that does not fit.
  const model::Component& get(const std::string& name);

  /// Throws Error{config} if a swap replaced nothing, or a swap of a kind several components.
  void check_swaps() const;

private:
  const model::Component& load(const std::string& name);

  std::vector<std::string> folders_;
  std::vector<Swap> swaps_;
  std::map<std::string, model::Component> loaded_;
  std::set<std::string> asked_;
  std::map<std::string, std::set<std::string>> replaced_; ///< by old_name of the swap
};

/// The file of a component of this name: the first of the folders that has one. Throws
/// Error{config} if there is none, naming those that there are.
std::string find_component(const std::string& name, const std::vector<std::string>& folders);

/// The component in this file, whose name is that of the file. Throws Error{config}.
model::Component load_component(const std::string& path);

/// Where the components that come with these platforms are.
std::string component_folder(const std::string& platform_folder);

} // namespace hypermile::io
