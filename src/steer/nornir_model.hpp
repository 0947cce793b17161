#pragma once

#include "steer/space.hpp"
#include "steer/visits.hpp"

#include <Eigen/Dense>

#include <map>
#include <optional>

namespace hypermile::steer {

/// The models of [N16], 3.3: service time by the Universal Scalability Law in the lowest gear, with
/// one factor for the gears; power by leakage and switching.
class NornirModel {
public:
  /// Fits by least squares to those visits that the models use. None: they are too few.
  static std::optional<NornirModel> fit(const Space& space, const Visits& visits);

  [[nodiscard]] Performance predict(const Configuration& configuration) const;

private:
  explicit NornirModel(const NodeShape& node) : node_(node) {}
  /// T_S(n, f_min) = a1/n + a2 (n-1)/n + a3 (n-1). [N16] Eq. 2
  static Eigen::Vector3d service_terms(std::size_t cores);
  /// Coefficients a0, a1 of [N16] Eq. 10 (linear), 11 (interleaved).
  [[nodiscard]] Eigen::Vector2d power_terms(const Configuration& configuration) const;
  /// T_S(n, f), between T_S(n, f_min) and T_S(n, f_max) linear in f. [N16] Eq. 3
  [[nodiscard]] double service_time(const Configuration& configuration) const;
  bool fit_service(const Space& space, const Visits& visits, model::Placement placement);
  bool fit_power(const Space& space, const Visits& visits);

  NodeShape node_;
  std::map<model::Placement, Eigen::Vector3d> scalability_; ///< a1, a2, a3, in seconds
  double gamma_ = 1;                                        ///< T_S(1, f_min) / T_S(1, f_max)
  Eigen::Vector2d power_ = Eigen::Vector2d::Zero();
};

} // namespace hypermile::steer
