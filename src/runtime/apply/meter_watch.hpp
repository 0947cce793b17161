#pragma once

#include "units/quantity.hpp"

#include <optional>
#include <string>

namespace hypermile::runtime {

/// Whether what a node's meter says can be: it counts on while the node computes, and no more than
/// its processors can draw.
class MeterWatch {
public:
  /// `limit`: what the processors may draw for long, together; none: nobody knows.
  explicit MeterWatch(std::optional<Watts> limit = {}) : limit_(limit) {}

  /// By now, on any clock, a rank of the node had computed for so long, and the meter had counted
  /// so much.
  void add(Seconds now, Seconds computing, Joules drawn);
  /// Why it cannot be believed; empty: it can. Once it cannot, it never can again.
  [[nodiscard]] const std::string& why_not() const { return why_not_; }

private:
  struct Reading {
    Seconds time;
    Seconds computing;
    Joules drawn;
  };
  std::optional<Watts> limit_;
  std::optional<Reading> last_;    ///< so long ago that power can be told
  std::optional<Reading> changed_; ///< when it counted last
  std::string why_not_;
};

} // namespace hypermile::runtime
