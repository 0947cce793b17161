#pragma once

#include "govern/governor.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace hypermile::govern {

/// A row of the table of governors. A new one is a row in governors.cpp; --help, error messages and
/// the tests take it from there.
struct GovernorRow {
  std::string_view name;   ///< on the command line and in JSON
  std::string_view help;   ///< one line
  std::string_view method; ///< that chooses the gear for computing; "none": nothing does
  std::unique_ptr<Governor> (*make)(const Node&);
};

[[nodiscard]] std::span<const GovernorRow> governors();
/// Null: there is none of this name.
[[nodiscard]] const GovernorRow* governor_named(std::string_view name);
/// "performance, powersave, ..."
[[nodiscard]] std::string governor_names();

} // namespace hypermile::govern
