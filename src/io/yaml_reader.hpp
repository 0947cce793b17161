#pragma once

#include "units/error.hpp"

#include <yaml-cpp/yaml.h>

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace hypermile::io {

/// A place in a YAML file, for reading it strictly: every complaint names file, line and key.
class YamlReader {
public:
  /// Parses `text`; `file` is used in messages only. Throws Error{config} on a syntax error.
  static YamlReader parse(const std::string& text, const std::string& file);

  /// This must be a map with no other keys than these, each at most once.
  void expect_keys(std::initializer_list<std::string_view> keys) const;

  /// The value of a key that must be there.
  [[nodiscard]] YamlReader at(std::string_view key) const;
  [[nodiscard]] std::optional<YamlReader> find(std::string_view key) const;

  [[nodiscard]] bool is_sequence() const { return node_.IsSequence(); }
  [[nodiscard]] bool is_scalar() const { return node_.IsScalar(); }
  /// Calls `visit(element)` for each element of what must be a non-empty sequence.
  void for_each(const std::function<void(const YamlReader&)>& visit) const;

  /// Calls `visit(key, value)` for each key of what must be a map with at least one, each once.
  void for_each_key(const std::function<void(const std::string&, const YamlReader&)>& visit) const;

  /// E.g. "types[2].power".
  [[nodiscard]] const std::string& path() const { return path_; }
  /// A single value, a list of them or a map of them, in one line of YAML.
  [[nodiscard]] std::string as_written() const;
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::size_t count() const; ///< a whole number of at least 1, at most 10^7

  /// `read(text())`, with this place added to the Error it throws.
  template <class Read> auto as(const Read& read) const -> std::invoke_result_t<Read, std::string> {
    return located([&] { return read(text()); });
  }
  /// `compute()`, with this place added to the Error it throws.
  template <class Compute>
  auto located(const Compute& compute) const -> std::invoke_result_t<Compute> {
    try {
      return compute();
    } catch (const Error& error) {
      fail(error.what());
    }
  }

  [[noreturn]] void fail(std::string_view what, std::string_view advice = "") const;

private:
  YamlReader(YAML::Node node, std::string file, std::string path)
      : node_(node), file_(std::move(file)), path_(std::move(path)) {}

  YAML::Node node_;
  std::string file_;
  std::string path_;
};

} // namespace hypermile::io
