#pragma once

#include "select/trials.hpp"

namespace hypermile::select {

/// Local search: moves gears of one node (to any gear), of two nodes (one gear up or down each),
/// or of all nodes of a type (one gear up or down), until no move is better. Moves with the best
/// lower bound come first; moves that the bounds rule out are not evaluated.
class Climb {
public:
  explicit Climb(Trials& trials) : trials_(trials) {}
  /// Stops when no move is better, when so many tries of one step have failed, or when the search
  /// is exhausted.
  void run(std::vector<model::Gear>& gears, std::size_t most_failures = most_tries);

private:
  static constexpr std::size_t most_tries = std::size_t{1} << 40U;
  struct Change {
    std::size_t node;
    model::Gear gear;
  };
  struct Move {
    Worth lower_bound;
    std::vector<Change> changes;
  };
  /// Finds the moves whose lower bound is better than `now`, best first.
  void find_moves(std::span<const model::Gear> gears, const Worth& now);
  void consider(std::span<const model::Gear> gears, std::span<const Change> changes,
                const Worth& now);
  bool move(std::vector<model::Gear>& gears, const Worth& now, std::size_t most_failures);
  void start(std::span<const model::Gear> gears);

  Trials& trials_;
  std::vector<Move> moves_;
  std::vector<Seconds> paths_; ///< what each bound says of the present gears
  Joules computing_;           ///< of the present gears
  Watts waiting_;
  Watts peak_;
};

} // namespace hypermile::select
