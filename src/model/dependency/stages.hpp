#pragma once

#include "model/dependency/dependencies.hpp"

#include <algorithm>

namespace hypermile::model::dependency {

/// Follows the changes of scales on the way through a timeline, and what ranks did between them.
class Stages {
public:
  /// `changes`: by rank, ascending by event.
  explicit Stages(std::span<const std::vector<ScaleChange>> changes)
      : changes_(changes), ranks_(changes.size()), stages_(changes.size()) {}

  /// The rank has come to this of its events at this time, with this scale. Returns the scale that
  /// it goes on with.
  double reach(std::size_t rank, EventIndex event, double clock, double scale) {
    Rank& r = ranks_[rank];
    while (r.change < changes_[rank].size() && event >= changes_[rank][r.change].event) {
      end_stage(rank, clock, scale);
      scale = changes_[rank][r.change++].scale;
    }
    return scale;
  }

  /// The rank has computed what takes so long in gear 0.
  void compute(std::size_t rank, double seconds) { ranks_[rank].computed += seconds; }

  void end_stage(std::size_t rank, double clock, double scale) {
    stages_[rank].push_back({.scale = scale,
                             .end = Seconds{clock},
                             .computing = Seconds{ranks_[rank].computed * scale}});
    ranks_[rank].computed = 0;
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
    double computed = 0;    ///< s in gear 0, in the present stage
  };
  std::span<const std::vector<ScaleChange>> changes_;
  std::vector<Rank> ranks_;
  std::vector<std::vector<Stage>> stages_;
};

} // namespace hypermile::model::dependency
