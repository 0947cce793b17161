#pragma once

#include "compare/comparison.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermile::compare {

/// What a comparison is to be refused for.
struct Limits {
  std::optional<double> max_slowdown;    ///< of B against A: 0.02 is 2 %; none: any
  std::optional<double> max_more_energy; ///< likewise
  bool proven = false;                   ///< also where the runs do not show that these are kept
  bool like_for_like = false;            ///< also where A and B differ in anything else

  [[nodiscard]] bool any() const { return max_slowdown || max_more_energy || like_for_like; }
};

/// A sentence for each limit that is not kept, for each pair. A limit is exceeded if the whole
/// interval is above it or, with one run, the difference is; with `proven`, unless the whole
/// interval is at most the limit. Throws Error{config} if an energy is limited that is not known.
[[nodiscard]] std::vector<std::string> exceeded(const Comparison& comparison, const Limits& limits);

} // namespace hypermile::compare
