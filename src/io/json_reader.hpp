#pragma once

#include <nlohmann/json_fwd.hpp>

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hypermile::io {

/// Parses JSON that nobody vouches for: refuses documents above 1 GiB or nested deeper than 64
/// levels, and keys given twice. `file` is used in messages only. Throws Error{config} with
/// line and column.
std::shared_ptr<const nlohmann::json> parse_json(std::string_view text, const std::string& file);

/// A place in a JSON document, for reading it strictly: every complaint names file and key.
class JsonReader {
public:
  JsonReader(std::shared_ptr<const nlohmann::json> document, std::string file);

  /// This must be an object; every one of its keys is one of these.
  void expect_keys(std::initializer_list<std::string_view> keys) const;
  /// This must be an object.
  [[nodiscard]] bool has(std::string_view key) const;
  /// The value of a key that must be there.
  [[nodiscard]] JsonReader at(std::string_view key) const;
  /// The elements of what must be a non-empty array.
  [[nodiscard]] std::vector<JsonReader> elements() const;
  /// The elements of what must be an array, which may be empty.
  [[nodiscard]] std::vector<JsonReader> elements_if_any() const;

  [[nodiscard]] bool is_array() const;
  [[nodiscard]] bool is_null() const;
  /// Whatever it is, as JSON in one line.
  [[nodiscard]] std::string json() const;
  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] double number() const;       ///< a finite number
  [[nodiscard]] std::size_t index() const;   ///< a whole number of at least 0
  [[nodiscard]] double not_negative() const; ///< a finite number of at least 0
  /// An array of such numbers, at least one and at most `limit`.
  [[nodiscard]] std::vector<double> numbers(std::size_t limit) const;

  [[noreturn]] void fail(std::string_view what, std::string_view advice = "") const;

private:
  JsonReader(const JsonReader& parent, const nlohmann::json& node, std::string path);

  std::shared_ptr<const nlohmann::json> document_;
  const nlohmann::json* node_;
  std::shared_ptr<const std::string> file_;
  std::string path_; ///< e.g. "nodes[2].tcp_s"
};

} // namespace hypermile::io
