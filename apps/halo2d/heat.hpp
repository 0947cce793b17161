#pragma once

#include "halo2d/domain.hpp"
#include "halo2d/modes.hpp"

namespace apps::halo2d {

/// The heat equation by explicit time steps, from the sum of the modes.
class Heat {
public:
  Heat(const Domain& domain, std::uint32_t side);

  void restart();
  void step();

  /// The 2-norm of what the last step changed, over all ranks.
  [[nodiscard]] double residual() const;
  /// The 2-norm of the field, over all ranks.
  [[nodiscard]] double norm() const;
  /// The largest distance from the exact solution after `steps` steps, over all ranks.
  [[nodiscard]] double error(int steps) const;

private:
  template <typename Value> [[nodiscard]] double norm_of(Value value) const;

  const Domain& domain_;
  std::uint32_t side_;
  Field now_;
  Field before_;
};

} // namespace apps::halo2d
