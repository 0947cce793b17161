#pragma once

#include "collective/calibration.hpp"
#include "collective/curve.hpp"

#include <vector>

namespace hypermile::collective {

/// The standard deviation of what these are samples of; 0 for less than two.
[[nodiscard]] double deviation(const std::vector<double>& values);

/// What holds at one size and number of processes: the line of the medians, that of each pass, and
/// the power of a node.
struct Local {
  Line line;
  std::vector<Line> passes;
  std::vector<double> node_power_w; ///< by pass; empty: not known
  double misfit = 0;
};

/// `share` 0: a, 1: b; beyond, they are continued, but not below 0.
[[nodiscard]] Local mixed(const Local& a, const Local& b, double share);

/// A variant as it was measured with so many processes.
class MeasuredCurve {
public:
  /// Of the times or of those inside. `exact`: there is no spread between passes.
  MeasuredCurve(std::vector<const Cell*> cells, std::vector<Seconds> Cell::*times, Form form,
                const Measured& measured, bool exact);

  [[nodiscard]] Local at(double size_b) const;
  [[nodiscard]] std::size_t processes() const { return nodes_ * processes_per_node_; }
  [[nodiscard]] std::size_t nodes() const { return nodes_; }
  [[nodiscard]] std::size_t processes_per_node() const { return processes_per_node_; }
  [[nodiscard]] double smallest_b() const { return samples_.front().size_b; }
  [[nodiscard]] double largest_b() const { return samples_.back().size_b; }

private:
  [[nodiscard]] Local piece(std::size_t index) const;
  [[nodiscard]] std::vector<double> powers_at(double size_b) const;

  std::size_t nodes_;
  std::size_t processes_per_node_;
  std::vector<Sample> samples_{};
  std::vector<std::vector<double>> times_s_{};  ///< by sample, by pass
  std::vector<std::vector<double>> powers_w_{}; ///< of a node, by sample, by pass
  std::vector<Piece> pieces_{};
};

} // namespace hypermile::collective
