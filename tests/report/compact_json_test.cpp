#include "report/compact_json.hpp"

#include <gtest/gtest.h>

#include <random>

namespace hypermile::report {
namespace {

using nlohmann::json;

/// As web/source/data.js does it.
json expanded(const json& value, const json& lists) {
  if (value.is_object() && value.contains("@list"))
    return lists.at(value.at("@list").get<std::size_t>());
  if (value.is_object() && value.contains("@rows"))
    return json(value.at("@rows").get<std::size_t>(), value.at("@all"));
  if (value.is_object() && value.contains("@table")) {
    json rows = json::array();
    for (const auto& [key, column] : value.at("@table").items()) {
      const json cells = expanded(column, lists);
      for (std::size_t row = 0; row < cells.size(); ++row)
        rows[row][key] = cells[row];
    }
    return rows;
  }
  json result = value;
  for (auto& member : result)
    if (value.is_structured())
      member = expanded(json(member), lists);
  return result;
}

json there_and_back(const json& document) {
  CompactJson compacting;
  auto compacted = compacting.compact(document);
  const json text = json::parse(compacting.to_json(std::move(compacted)).dump());
  return expanded(text.at("data"), text.at("lists"));
}

/// Arrays long and short, of equal and of different things.
json random_document(std::mt19937& random, int depth) {
  const auto draw = [&](unsigned below) { return static_cast<int>(random() % below); };
  switch (draw(depth > 0 ? 7 : 4)) {
  case 0:
    return std::uniform_real_distribution<>(-1e9, 1e9)(random);
  case 1:
    return draw(3);
  case 2:
    return "text " + std::to_string(draw(3));
  case 3:
    return nullptr;
  case 4: {
    const json same = random_document(random, 0);
    return json(static_cast<std::size_t>(draw(20)), same);
  }
  case 5: {
    json rows = json::array();
    for (int i = draw(20); i > 0; --i)
      rows.push_back({{"a", random_document(random, draw(8) == 0 ? depth - 1 : 0)},
                      {"b", "name " + std::to_string(i % 5)}});
    return rows;
  }
  default: {
    json members = draw(2) == 0 ? json::array() : json::object();
    for (int i = draw(12); i > 0; --i)
      if (members.is_array())
        members.push_back(random_document(random, depth - 1));
      else
        members["key " + std::to_string(i)] = random_document(random, depth - 1);
    return members;
  }
  }
}

TEST(compact_json, loses_nothing) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    const json document{{"it", random_document(random, 4)}};
    EXPECT_EQ(there_and_back(document), document);
  }
}

TEST(compact_json, tells_numbers_from_equal_ones_of_another_kind) {
  const json document{1, 1.0, 1, 1, 1, 1, 1, 1, 1};
  EXPECT_EQ(there_and_back(document).dump(), document.dump());
}

TEST(compact_json, has_names_that_occur_in_several_places_once) {
  json names = json::array();
  for (int i = 0; i < 1000; ++i)
    names.push_back("a-node-with-a-long-name-" + std::to_string(i));
  json document = json::array();
  for (int choice = 0; choice < 20; ++choice)
    document.push_back({{"nodes", names}, {"gears", json(1000, choice)}});
  CompactJson compacting;
  auto compacted = compacting.compact(document);
  EXPECT_LT(compacting.to_json(std::move(compacted)).dump().size(), 2 * names.dump().size());
  EXPECT_EQ(there_and_back(document), document);
}

} // namespace
} // namespace hypermile::report
