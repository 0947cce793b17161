#pragma once

#include "model/dependency/dependencies.hpp"

#include <algorithm>

namespace hypermile::model::dependency {

/// Follows the changes of scales on the way through a timeline, and what ranks did between them.
class Stages {
public:
  /// `changes`: by rank, ascending by event.
  /// How a rank computes.
  struct Now {
    double scale = 1;
    double work = 1;
  };

  explicit Stages(std::span<const std::vector<ScaleChange>> changes)
      : changes_(changes), ranks_(changes.size()), stages_(changes.size()) {}

  /// The rank has come to this of its events at this time. Returns how it goes on.
  const Now& reach(std::size_t rank, EventIndex event, double clock) {
    Rank& r = ranks_[rank];
    while (r.change < changes_[rank].size() && event >= changes_[rank][r.change].event) {
      end_stage(rank, clock);
      const ScaleChange& change = changes_[rank][r.change++];
      r.now = {.scale = change.scale, .work = change.work};
    }
    return r.now;
  }
  [[nodiscard]] const Now& now(std::size_t rank) const { return ranks_[rank].now; }

  /// The rank has computed for so long.
  void compute(std::size_t rank, double seconds) { ranks_[rank].computed += seconds; }

  void end_stage(std::size_t rank, double clock) {
    Rank& r = ranks_[rank];
    stages_[rank].push_back(
        {.scale = r.now.scale, .end = Seconds{clock}, .computing = Seconds{r.computed}});
    r.computed = 0;
  }

  /// After the last stage of every rank has been ended.
  StagedOutcome outcome(Seconds begin) && {
    Seconds last;
    for (const auto& stages : stages_)
      last = std::max(last, stages.back().end);
    return {.time = last - begin, .begin = begin, .stages = std::move(stages_)};
  }

private:
  struct Rank {
    std::size_t change = 0; ///< its next
    Now now{};
    double computed = 0; ///< s, in the present stage
  };
  std::span<const std::vector<ScaleChange>> changes_;
  std::vector<Rank> ranks_;
  std::vector<std::vector<Stage>> stages_;
};

} // namespace hypermile::model::dependency
