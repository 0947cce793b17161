#pragma once

#include "select/trials.hpp"

#include <vector>

namespace hypermile::select {

/// Gear vectors between two: every node from `fastest` to `slowest`. With what its bound was
/// found with, which is a good start for a part of it.
struct Box {
  std::vector<model::Gear> fastest;
  std::vector<model::Gear> slowest;
  double bound = -unreachable; ///< no gears inside have a smaller score and keep the bounds
  Watts price;                 ///< of a second
  Seconds constant;            ///< of a mean of the path bounds
  std::vector<Seconds> slopes;
};

/// What can be proven of all gears of a box (docs/selection.md, Theorem 8): the least energy plus
/// `price` times time falls apart into nodes once time is replaced by a mean of paths.
class LagrangianBound {
public:
  explicit LagrangianBound(Trials& trials);

  /// The whole box of all gears.
  [[nodiscard]] Box all() const;
  /// Raises the box's bound: above `unreachable` never, to it where nothing in it keeps the
  /// bounds. `rounds`: of the search for a price and a mean.
  void raise(Box& box, std::size_t rounds);
  /// The gears that the last bound belongs to, where there was need to look for it.
  [[nodiscard]] const std::vector<model::Gear>& gears() const { return gears_; }
  [[nodiscard]] bool has_gears() const { return has_gears_; }
  /// The range that the rounds of the last bound wavered in, by node.
  [[nodiscard]] const std::vector<model::Gear>& least() const { return least_; }
  [[nodiscard]] const std::vector<model::Gear>& most() const { return most_; }

  /// What the rounds chose on average: scales, by node.
  [[nodiscard]] const std::vector<double>& mean_scales() const { return mean_scales_; }

private:
  /// Of the gears in a box: what holds for all.
  struct Corner {
    Seconds from;  ///< none takes less time
    Seconds to;    ///< those that take more are not better than the best known
    Joules energy; ///< none takes less
    Watts waiting; ///< none draws less
    double score = 0;
  };
  [[nodiscard]] Corner corner(const Box& box);
  [[nodiscard]] Seconds latest(const Corner& corner, const Box& box);
  /// The least energy + price * time with the box's mean of paths; fills gears_.
  [[nodiscard]] Joules least_sum(const Box& box, const Corner& corner);
  /// Moves the mean towards the path that these gears take longest on. Returns their time.
  Seconds shift_mean(Box& box, const Corner& corner, double step);
  /// What the sum proves, and whether a higher price would prove more.
  struct Proof {
    double bound;
    bool raise_price;
  };
  [[nodiscard]] Proof prove(const Corner& corner, Watts price, Joules sum, Seconds time) const;
  void remember(std::size_t rounds);

  Trials& trials_;
  Score score_;
  std::vector<model::Gear> gears_;
  std::vector<model::Gear> candidate_;
  bool has_gears_ = false;
  std::vector<model::Gear> least_;
  std::vector<model::Gear> most_;
  std::vector<double> mean_scales_;
  std::vector<double> scales_;
  std::vector<Seconds> mean_of_paths_; ///< of each path, over the rounds
};

} // namespace hypermile::select
