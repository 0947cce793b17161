#pragma once

#include "model/dependency/matching.hpp"

namespace hypermile::model::dependency {

/// When the MPI calls of a timeline were entered and left.
class Calls {
public:
  explicit Calls(const Matching& matching);

  /// Of the call that the event belongs to; s since the timeline's clock was 0.
  [[nodiscard]] Seconds entered(EventIndex event) const { return Seconds{entered_[event]}; }
  [[nodiscard]] Seconds left(EventIndex event) const { return Seconds{left_[event]}; }
  [[nodiscard]] Seconds duration(EventIndex event) const { return left(event) - entered(event); }
  /// The first event of the call that this one belongs to, and the one after its last.
  [[nodiscard]] EventIndex first(EventIndex event) const { return first_[event]; }
  [[nodiscard]] EventIndex end(EventIndex event) const;
  /// Whether both sides of a message were started by calls that did not wait for its end, and both
  /// ends are known.
  [[nodiscard]] bool is_non_blocking(const Message& message) const;

private:
  const Matching& matching_;
  std::vector<double> entered_;
  std::vector<double> left_;
  std::vector<EventIndex> first_;
};

} // namespace hypermile::model::dependency
