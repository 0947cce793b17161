#pragma once

#include "units/quantity.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace hypermile::model {

/// What a setting of a node comes to.
struct SettingCost {
  Seconds time; ///< for the same work
  Watts power;
};

/// Which settings are of no use, since another one beats them: it takes no longer and draws no
/// more, and is better in one of the two. Of settings that are alike, the first beats the others.
/// For each setting the number of one that beats it and that nothing beats; none: nothing does.
std::vector<std::optional<std::size_t>> beaten_by(std::span<const SettingCost> settings);

/// What is known of a setting: its power is somewhere in these ranges.
struct SettingRanges {
  struct Range {
    Watts least;
    Watts most;
  };
  Seconds time; ///< for the same work
  Range computing;
  Range waiting;
};

/// Which settings are of no use whatever the figures are within their ranges: another one takes no
/// longer, and draws less by all that is known, both computing and waiting. For each setting the
/// number of one that beats it and that nothing beats; none: nothing does for sure.
std::vector<std::optional<std::size_t>> surely_beaten_by(std::span<const SettingRanges> settings);

} // namespace hypermile::model
