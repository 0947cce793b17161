#pragma once

#include "runtime/decide/rank_shares.hpp"
#include "runtime/exchange/messages.hpp"

#include <optional>
#include <vector>

namespace hypermile::runtime {

/// Chooses gears before any loop is known, from what the ranks have computed since MPI_Init. It
/// only uses slack that is there already: no rank becomes later than the slowest one is.
class EarlyPolicy {
public:
  /// The nodes begin in these gears.
  void begin_in(std::vector<model::Gear> gears) { present_ = std::move(gears); }
  /// `all`: one per rank, of the same look. None where some rank has hardly computed since the last
  /// look that counted, and where the gears stay what they are.
  std::optional<Decision> choose(const std::vector<EarlyMeasurement>& all);

private:
  [[nodiscard]] bool counts(const std::vector<EarlyMeasurement>& all) const;
  void add(const std::vector<EarlyMeasurement>& all);

  Stretches stretches_;
  std::vector<Seconds> counted_; ///< by rank: computation until the last look that counted
  Seconds last_look_;            ///< when that was, since MPI_Init
  std::vector<model::Gear> present_;
};

/// Gears for a program whose ranks all have as much to do, before it has done anything: no node is
/// later than the slowest one in its fastest gear. `node_of_rank`: by rank. None where that is gear
/// 0 on every node. The figures of the decision are of as much work as takes that node a second.
[[nodiscard]] std::optional<Decision>
choose_for_equal_shares(const std::vector<RankNode>& node_of_rank);

} // namespace hypermile::runtime
