#pragma once

#include <cstdint>

namespace hypermile::runtime {

/// Takes `value` into a hash, such that the order of the values matters.
constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15U;
  return hash ^ (hash >> 32);
}

} // namespace hypermile::runtime
