#include "refine/mesh.hpp"

#include <algorithm>

namespace apps::refine {
namespace {

constexpr std::size_t family = 4; ///< blocks that may become one

/// The bits of two numbers, interleaved.
std::uint64_t interleaved(std::uint32_t x, std::uint32_t y) {
  std::uint64_t result = 0;
  for (unsigned bit = 0; bit < 32; ++bit) {
    result |= std::uint64_t{x >> bit & 1} << 2 * bit;
    result |= std::uint64_t{y >> bit & 1} << (2 * bit + 1);
  }
  return result;
}

Leaf child(const Leaf& parent, std::uint32_t number) {
  return {parent.level + 1, 2 * parent.x + number % 2, 2 * parent.y + number / 2};
}

} // namespace

Mesh::Mesh(std::uint32_t roots, unsigned finest_level)
    : roots_(roots), finest_level_(finest_level) {
  for (std::uint32_t y = 0; y < roots; ++y)
    for (std::uint32_t x = 0; x < roots; ++x)
      leaves_.push_back({0, x, y});
  std::ranges::sort(leaves_, {}, [this](const Leaf& leaf) { return key(leaf); });
}

std::uint64_t Mesh::key(const Leaf& place) const {
  const unsigned shift = finest_level_ - place.level;
  return interleaved(place.x << shift, place.y << shift);
}

std::size_t Mesh::find(const Leaf& place) const {
  const auto next = std::ranges::upper_bound(leaves_, key(place), {},
                                             [this](const Leaf& leaf) { return key(leaf); });
  return static_cast<std::size_t>(next - leaves_.begin()) - 1;
}

std::vector<std::size_t> Mesh::beyond(std::size_t index, Side side) const {
  Leaf place = leaves_[index];
  const std::uint32_t width = roots_ << place.level;
  if (side == Side::west || side == Side::east)
    place.x = (place.x + (side == Side::west ? width - 1 : 1)) % width;
  else
    place.y = (place.y + (side == Side::south ? width - 1 : 1)) % width;
  const std::size_t there = find(place);
  if (leaves_[there].level <= place.level)
    return {there};
  switch (side) { // of the four, the two that touch this block
  case Side::west:
    return {find(child(place, 1)), find(child(place, 3))};
  case Side::east:
    return {find(child(place, 0)), find(child(place, 2))};
  case Side::south:
    return {find(child(place, 2)), find(child(place, 3))};
  default:
    return {find(child(place, 0)), find(child(place, 1))};
  }
}

/// Refines blocks next to ones that will be finer by two levels. Whether there were any.
bool Mesh::raise_neighbours(std::vector<unsigned>& levels) const {
  bool changed = false;
  for (std::size_t i = 0; i < leaves_.size(); ++i)
    for (const Side side : {Side::west, Side::east, Side::south, Side::north})
      for (const std::size_t there : beyond(i, side))
        if (levels[there] + 1 < levels[i]) {
          levels[there] = levels[i] - 1;
          changed = true;
        }
  return changed;
}

/// Lets blocks stay that should become coarser without their whole family. Whether there were any.
bool Mesh::keep_families(std::vector<unsigned>& levels) const {
  bool changed = false;
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    const Leaf& leaf = leaves_[i];
    if (levels[i] >= leaf.level)
      continue;
    const std::size_t first = find({leaf.level, leaf.x & ~1U, leaf.y & ~1U});
    bool all = true;
    for (std::size_t j = first; j < first + family; ++j)
      all = all && leaves_[j].level == leaf.level && levels[j] + 1 == leaf.level;
    if (!all) {
      levels[i] = leaf.level;
      changed = true;
    }
  }
  return changed;
}

Mesh Mesh::adapted(std::span<const int> wishes) const {
  std::vector<unsigned> levels;
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    const int level = static_cast<int>(leaves_[i].level) + wishes[i];
    levels.push_back(static_cast<unsigned>(std::clamp(level, 0, static_cast<int>(finest_level_))));
  }
  while (raise_neighbours(levels) || keep_families(levels)) {
    // Both only raise levels, so this ends.
  }
  Mesh result = *this;
  result.leaves_.clear();
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    const Leaf& leaf = leaves_[i];
    if (levels[i] == leaf.level)
      result.leaves_.push_back(leaf);
    else if (levels[i] > leaf.level)
      for (std::uint32_t number = 0; number < family; ++number)
        result.leaves_.push_back(child(leaf, number));
    else if (leaf.x % 2 == 0 && leaf.y % 2 == 0)
      result.leaves_.push_back({leaf.level - 1, leaf.x / 2, leaf.y / 2});
  }
  return result;
}

} // namespace apps::refine
