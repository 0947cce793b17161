#include "report/compact_json.hpp"

#include <algorithm>
#include <iterator>

namespace hypermile::report {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t least_of_a_long_array = 8;

bool are_rows_of_a_table(const nlohmann::json& values) {
  const auto keys_of_first = [&](const nlohmann::json& row) {
    return row.is_object() && row.size() == values.front().size() &&
           std::ranges::all_of(
               row.items(), [&](const auto& item) { return values.front().contains(item.key()); });
  };
  return values.front().is_object() && !values.front().empty() &&
         std::ranges::all_of(values, keys_of_first);
}

bool are_equal(const nlohmann::json& values) {
  return !values.front().is_structured() &&
         std::ranges::all_of(values, [&](const nlohmann::json& value) {
           return value == values.front() && value.type() == values.front().type();
         });
}

} // namespace

ordered_json CompactJson::compact(const nlohmann::json& value) {
  if (value.is_array())
    return array(value);
  if (!value.is_object())
    return value;
  ordered_json object = ordered_json::object();
  for (const auto& [key, member] : value.items())
    object[key] = compact(member);
  return object;
}

ordered_json CompactJson::array(const nlohmann::json& values) {
  if (values.size() >= least_of_a_long_array) {
    if (are_equal(values))
      return {{"@all", values.front()}, {"@rows", values.size()}};
    if (std::ranges::all_of(values, &nlohmann::json::is_string))
      return {{"@list", list(values)}};
    if (are_rows_of_a_table(values))
      return table(values);
  }
  ordered_json elements = ordered_json::array();
  for (const nlohmann::json& value : values)
    elements.push_back(compact(value));
  return elements;
}

ordered_json CompactJson::table(const nlohmann::json& rows) {
  ordered_json columns = ordered_json::object();
  for (const auto& [key, first] : rows.front().items()) {
    nlohmann::json column = nlohmann::json::array();
    for (const nlohmann::json& row : rows)
      column.push_back(row.at(key));
    columns[key] = array(column);
  }
  return {{"@table", columns}};
}

std::size_t CompactJson::list(const nlohmann::json& texts) {
  const auto known = std::ranges::find(lists_, texts);
  const auto index = static_cast<std::size_t>(std::distance(lists_.begin(), known));
  if (known == lists_.end())
    lists_.push_back(texts);
  return index;
}

ordered_json CompactJson::to_json(ordered_json compacted) const {
  return {{"lists", lists_}, {"data", std::move(compacted)}};
}

} // namespace hypermile::report
