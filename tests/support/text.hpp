#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace hypermile::test {

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

inline void expect_part(const std::string& text, const std::string& part) {
  EXPECT_TRUE(contains(text, part)) << part << "\nis not in\n" << text;
}

/// How often the part is there.
inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++times;
  return times;
}

/// Of a file; empty if there is none.
inline std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace hypermile::test
