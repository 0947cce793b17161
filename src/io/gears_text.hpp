#pragma once

#include "model/gear.hpp"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hypermile::io {

/// Gears as somebody chose them before it is known which nodes there are: one for all nodes, one
/// per node, or one per node type (nodes of a type that is not named stay in gear 0).
using GearsOfTypes = std::map<std::string, model::Gear>;
using GearChoice = std::variant<model::Gear, std::vector<model::Gear>, GearsOfTypes>;

/// Reads "3", "0,3,5" or "type1=2,type3=1"; spaces around an element do not matter.
/// Throws Error{config} for anything else.
GearChoice parse_gear_choice(std::string_view text);

/// A line of a file.
struct GearLine {
  std::size_t number; ///< counted from 1
  GearChoice gears;
};

/// Reads a choice per line; empty lines and those that begin with # are left out. `file` is used
/// in messages only. Throws Error{config} with file and line for anything else, and for a file
/// without any choice.
std::vector<GearLine> parse_gear_lines(std::string_view text, const std::string& file);

/// "0,3,5", and back. Throws Error{config} for a text that is no such list.
std::string print_gears(std::span<const model::Gear> gears);
std::vector<model::Gear> parse_gears(std::string_view text);

} // namespace hypermile::io
