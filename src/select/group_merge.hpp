#pragma once

#include "select/group_sweep.hpp"
#include "select/score.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace hypermile::select {

/// The points that groups choose from, and one choice per group.
///
/// The program's time is the mean of the groups' times and its energy their sum, so the points
/// that the whole program can reach are a Minkowski sum. With an average-power cap the second
/// coordinate is E - cap * T, which adds up as well and turns the cap into "at most 0".
class GroupMerge {
public:
  struct Point {
    Seconds time;
    Joules energy;       ///< of the group
    Joules coordinate;   ///< energy, less its share of the average-power cap
    Watts power;         ///< active, where there is a peak-power cap
    std::uint32_t index; ///< the caller's
  };
  struct Result {
    std::vector<std::uint32_t> choice; ///< the caller's index, per group
    double score = unreachable;        ///< of that choice; unreachable: none meets the bounds
    double bound = unreachable;        ///< no choice that meets the bounds has a smaller score
    bool complete = false;             ///< every point that matters was considered
  };

  void clear();
  /// `points`: by ascending time. Those that another one beats are dropped, in power too if
  /// `score` caps the peak. `groups`: how many there will be.
  void add_group(std::span<const SweepPoint> points, const Score& score, std::size_t groups);

  /// Walks the lower-left hull of the sum (docs/selection.md, Theorem 3): the optimum of every
  /// objective without bounds; with bounds the best vertex, and a lower bound (which ignores a
  /// peak-power cap).
  [[nodiscard]] Result along_hull(const Score& score) const;
  /// The part of the hull where the score is no more than `value`, as a range of time.
  struct Window {
    Seconds from{unreachable};
    Seconds to{-1};
    Joules most_energy; ///< of all the hull: of its first vertex
    Joules least_energy;
    Seconds end; ///< its largest time
  };
  [[nodiscard]] Window window(const Score& score, double value) const;
  /// The choice that draws least; `complete`: even that is above the peak-power cap.
  [[nodiscard]] Result least_power(const Score& score) const;
  [[nodiscard]] double score_of(const Score& score, const std::vector<std::uint32_t>& choice) const;
  /// Moves single groups as long as that makes the score smaller.
  void improve(const Score& score, Result& result) const;
  /// All points of the sum's front one group after the other (Theorem 4), up to `limit` of them:
  /// exact where `complete`.
  [[nodiscard]] Result by_pareto(const Score& score, std::size_t limit) const;

  struct Sum {
    Seconds time; ///< mean
    Joules energy;
    std::vector<std::uint32_t> choice; ///< empty where they would be too many
  };
  /// The front of the sum, or only its hull if the front does not fit; says which.
  [[nodiscard]] std::vector<Sum> front(std::size_t limit, bool& complete) const;

private:
  struct Edge {
    double slope; ///< coordinate per second, negative
    std::uint32_t group;
    std::uint32_t to; ///< position in the group's hull
  };
  struct State {
    Seconds time; // sum over the groups so far
    Joules energy;
    Joules coordinate;
    Watts power;
    std::uint32_t parent; ///< in the layer before
    std::uint32_t point;
  };
  using Layers = std::vector<std::vector<State>>;

  [[nodiscard]] std::span<const Point> group(std::size_t k) const {
    return {points_.data() + offsets_[k], offsets_[k + 1] - offsets_[k]};
  }
  [[nodiscard]] std::size_t group_count() const { return offsets_.size() - 1; }
  [[nodiscard]] std::vector<Edge> edges() const;
  [[nodiscard]] std::vector<Sum> hull_front() const;
  [[nodiscard]] State fastest_vertices() const;
  /// What is chosen once these first edges of the hull are walked.
  [[nodiscard]] std::vector<std::uint32_t> choice_after(std::span<const Edge> walked) const;
  /// The chosen points, and their mean time, energy and power in `sum`.
  [[nodiscard]] std::vector<const Point*> points_of(const std::vector<std::uint32_t>& choice,
                                                    State& sum) const;
  [[nodiscard]] bool merge_all(std::size_t limit, Layers& layers) const;
  /// Drops the sums that another one beats, in power too if `powers_`.
  [[nodiscard]] std::vector<State> front_of(std::vector<State>& sums) const;
  [[nodiscard]] std::vector<std::uint32_t> choice_of(const Layers& layers,
                                                     std::uint32_t last) const;

  bool powers_ = false;
  std::vector<Point> points_;
  std::vector<std::size_t> offsets_{0};
  std::vector<std::uint32_t> hull_; ///< positions in points_, group by group
  std::vector<std::size_t> hull_offsets_{0};
};

} // namespace hypermile::select
