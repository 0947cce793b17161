#pragma once

#include "cli/checks.hpp"

#include "select/plan.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

namespace hypermile::cli {

/// An option whose text `read` understands, or throws an Error; `store` takes what it made of it.
template <class Read, class Store>
CLI::Option* add_read_option(CLI::App& command, const std::string& name, const std::string& value,
                             const std::string& description, Read read, Store store) {
  return command
      .add_option_function<std::string>(
          name, [read, store](const std::string& text) { store(read(text)); }, description)
      ->type_name(value)
      ->check(understood_by(read));
}

template <class Value> Value not_negative(Value value, std::string_view text) {
  if (value < Value{})
    throw Error(ErrorKind::config, fmt::format("'{}' is negative", text));
  return value;
}

/// The text of a help with the lines {methods}, {objectives} and {governors} replaced by a line for
/// each: all objectives and governors, and those methods.
[[nodiscard]] std::string with_lists(
    std::string text, const std::function<bool(const select::MethodRow&)>& lists =
                          [](const select::MethodRow&) { return true; });

} // namespace hypermile::cli
