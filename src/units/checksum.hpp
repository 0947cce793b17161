#pragma once

#include <cstdint>
#include <string_view>

namespace hypermile {

/// FNV-1a, 64 bits.
[[nodiscard]] constexpr std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : bytes)
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

} // namespace hypermile
