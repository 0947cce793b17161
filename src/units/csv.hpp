#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hypermile {

/// Reads comma-separated values strictly: the first line names the columns, in any order; every
/// other line is a row with a field for each. No quotes. Knows where it is, for messages.
class CsvReader {
public:
  /// The columns of a kind of file.
  struct Columns {
    std::vector<std::string_view> needed;
    std::vector<std::string_view> optional{};
    std::string example; ///< of a first line, for messages
  };

  /// Reads the first line. Both texts must outlive this. Throws Error{config} with file and line
  /// for a column that is missing, not known, or there twice.
  CsvReader(std::string_view text, const std::string& file, const Columns& columns);

  /// Goes to the next row; false: there is none. Throws likewise where fields are missing or too
  /// many.
  bool next();

  [[nodiscard]] bool has(std::string_view column) const { return place_of(column).has_value(); }
  /// Of this row. `column`: one that the file has.
  [[nodiscard]] std::string_view field(std::string_view column) const;
  /// Throws likewise for what is no finite number, naming `what` it should be: "a power in watts".
  [[nodiscard]] double number(std::string_view column, std::string_view what) const;
  /// Likewise a whole number of at least 0.
  [[nodiscard]] std::size_t count(std::string_view column, std::string_view what) const;

  [[nodiscard]] std::size_t line() const { return line_; }
  /// Throws Error{config} with file and line.
  [[noreturn]] void fail(const std::string& what, const std::string& advice = "") const;

private:
  std::optional<std::string_view> take_line();
  void read_header(const Columns& columns);
  [[nodiscard]] std::optional<std::size_t> place_of(std::string_view column) const;

  std::string_view rest_;
  const std::string& file_;
  std::size_t line_ = 0;
  std::vector<std::string_view> names_;
  std::vector<std::string_view> fields_;
};

} // namespace hypermile
