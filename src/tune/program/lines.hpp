#pragma once

#include <charconv>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

/// How our programs that time operations are spoken to, and what they say.
namespace hypermile::tune {

/// What each of their lines begins with; src/tune/program_output.hpp reads the rest.
inline constexpr std::string_view mark = "hypermile-collectives: ";

/// In place of an algorithm: threads copy.
inline constexpr std::string_view copy_word = "copy";

/// A word of the command line. Throws std::runtime_error.
template <class Number> Number number(std::string_view text) {
  Number value{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || end != text.data() + text.size())
    throw std::runtime_error("'" + std::string(text) + "' is not a number");
  return value;
}

/// Prints a line in one piece, as mpirun writes there too.
template <class... Values> void print_line(std::FILE* to, const char* format, Values... values) {
  const std::string line = std::string(mark) + format + "\n";
  std::fprintf(to, line.c_str(), values...);
  std::fflush(to);
}

} // namespace hypermile::tune
