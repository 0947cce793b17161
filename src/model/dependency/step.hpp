#pragma once

#include <cstdint>

namespace hypermile::model::dependency {

/// What a rank does next: computation first, then what its kind says. Slots hold moments.
struct Step {
  enum class Kind : std::uint8_t {
    pass,      ///< then `cost`
    store,     ///< the moment goes into slot a
    store_max, ///< the same where slot a keeps the later one
    wait,      ///< until `cost` after the later of the slots a and b
    join       ///< until slot a; then `cost`
  };
  float computation = 0; ///< s in gear 0 of what takes S times as long
  float cost = 0;        ///< s
  Kind kind = Kind::pass;
  std::uint32_t rank = 0;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

} // namespace hypermile::model::dependency
