#pragma once

#include <algorithm>
#include <cstdint>

namespace apps {

/// Indices begin..end-1.
struct Range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  [[nodiscard]] std::uint32_t size() const { return end - begin; }
  [[nodiscard]] bool contains(std::uint32_t index) const { return index - begin < size(); }
};

/// Part `index` of `whole` cut into `parts` nearly equal ones, the longer ones first.
inline Range part_of(Range whole, std::uint32_t parts, std::uint32_t index) {
  const std::uint32_t size = whole.size() / parts;
  const std::uint32_t longer = whole.size() % parts;
  const std::uint32_t begin = whole.begin + index * size + std::min(index, longer);
  return {begin, begin + size + (index < longer ? 1 : 0)};
}

} // namespace apps
