#pragma once

#include "units/error.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace hypermile::cli {

/// A check for CLI::Option: returns what is wrong with a value, empty if nothing is.
using Check = std::function<std::string(const std::string&)>;

/// A whole number in this range.
Check whole_number(std::size_t least, std::size_t most);
/// One of these.
Check one_of(std::vector<std::string> values);
/// Anything but nothing, and but the -- that comes before COMMAND.
Check not_empty();

/// A value that `parse` takes; else what it throws as an Error.
template <class Parse> Check understood_by(Parse parse) {
  return [parse](const std::string& text) -> std::string {
    try {
      (void)parse(text);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
}

} // namespace hypermile::cli
