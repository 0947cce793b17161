#pragma once

#include "select/plan.hpp"

#include <memory>

namespace hypermile::select {

struct Request {
  Method method = Method::exact;
  Objective objective = Objective::maxdist;
  /// maxdist only: w * P_norm - (1 - w) * E_norm with w in [0, 1]; without it the plain distance.
  std::optional<double> weight = std::nullopt;
  Constraints constraints = {};
  /// Lets the papers' methods run `exact` beside, to certify their gap. Costs its time.
  bool certify = false;
};

/// Gear vectors that `Method::brute` agrees to visit.
inline constexpr double brute_limit = 2e6;

/// Chooses gears, again and again: what one call allocates the next one uses, so that repeated
/// calls with problems of the same size allocate nothing (`exact` and the walks of Algorithms
/// 5, 7 and 8 on the synchronous models without a peak-power cap). Not for two threads at once.
class Selector {
public:
  Selector();
  ~Selector();
  Selector(Selector&&) noexcept;
  Selector& operator=(Selector&&) noexcept;

  /// The plan stays valid until the next call. A request that no plan meets is answered by a
  /// plan with violations. Throws Error{model} if the method does not apply to the model or
  /// (brute) the problem is too large, Error{config} for a bound or weight out of its range.
  const Plan& choose(const model::Problem& problem, const Request& request);

  /// The Pareto front of time against energy. With several groups it may be too large: then,
  /// beyond `limit` partial sums, only its convex hull.
  [[nodiscard]] Front front(const model::Problem& problem, std::size_t limit = 200000);

private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

/// One choice without keeping a Selector.
[[nodiscard]] Plan choose(const model::Problem& problem, const Request& request = {});

} // namespace hypermile::select
