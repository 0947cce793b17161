#pragma once

#include "select/climb.hpp"
#include "select/dependency_search.hpp"
#include "select/exact.hpp"
#include "select/trials.hpp"

#include <functional>
#include <vector>

namespace hypermile::select {

/// One search for gears with the dependency time model, from start to certificate.
class PathSearch {
public:
  /// Keeps references to all.
  PathSearch(const model::dependency::Predictor& predictor, const Request& request,
             const SearchLimits& limits);

  void run();
  /// Once more under another bound on time, which makes use of all that was tried.
  void run_within(Seconds limit);
  [[nodiscard]] bool misses_bounds() const { return trials_.best().misses_bounds; }
  [[nodiscard]] DependencyPlan result() const;
  /// The same of other gears, with what is proven of them.
  [[nodiscard]] DependencyPlan result(const std::vector<model::Gear>& gears);
  /// So many of the gears that were tried, or all, best first.
  [[nodiscard]] std::vector<std::vector<model::Gear>> best(std::size_t most) const {
    return trials_.best(most);
  }

private:
  /// How long a node makes the program with a scale.
  using NodeTime = std::function<Seconds(std::size_t node, double scale)>;
  struct Line {
    Seconds constant;
    Seconds slope;
  };

  void judge_by(const Score& score);
  void prove();
  void save_energy();
  void approach(const std::vector<model::Gear>& gears);
  void bound_by_each_node();
  [[nodiscard]] std::vector<model::Gear> cluster_plan();
  [[nodiscard]] std::vector<model::Gear> relaxed_plan();
  [[nodiscard]] Plan sweep(const NodeTime& time, Seconds communication);
  void climb_again();
  [[nodiscard]] Certificate certificate(const Worth& chosen) const;

  const model::dependency::Predictor& predictor_;
  const Request& request_;
  Score score_;
  Trials trials_;
  Climb climb_;
  ExactSolver exact_;
  std::vector<Line> alone_; ///< by node: a lower bound of the time by its scale only
  double proven_ = -unreachable;
  Certificate certificate_;
  std::size_t boxes_ = 0;
};

} // namespace hypermile::select
