#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace hypermile::report {

/// JSON of many nodes in a fraction of its size, for `web/source/data.js`, which undoes it. Every
/// number and text stays as it is. In what to_json() returns, `data` is the document, in which a
/// long array may be
///   {"@table": {"key": column, ...}}    in place of objects that all have these keys
///   {"@all": value, "@rows": n}         in place of n equal values
///   {"@list": k}                        in place of texts, which are those of `lists[k]`
class CompactJson {
public:
  [[nodiscard]] nlohmann::ordered_json compact(const nlohmann::json& value);
  /// The document that compact() made, together with the lists that it refers to.
  [[nodiscard]] nlohmann::ordered_json to_json(nlohmann::ordered_json compacted) const;

private:
  [[nodiscard]] nlohmann::ordered_json array(const nlohmann::json& values);
  [[nodiscard]] nlohmann::ordered_json table(const nlohmann::json& rows);
  [[nodiscard]] std::size_t list(const nlohmann::json& texts);

  std::vector<nlohmann::json> lists_;
};

} // namespace hypermile::report
