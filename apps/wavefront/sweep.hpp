#pragma once

#include "wavefront/layout.hpp"

#include <vector>

namespace apps::wavefront {

/// The two triangular solves of SSOR over the whole box, as pipelines through the grid of
/// ranks. With A = D - L - U (D = 6) and the relaxation factor w,
///
///     M = (D - w L) D^-1 (D - w U) / (w (2 - w))
///
/// Each point of a sweep needs the points before it in all three directions, so a rank
/// can begin a plane when its neighbours to the north and west have ended theirs.
class Sweep {
public:
  Sweep(const Layout& layout, double relaxation);

  /// correction = M^-1 residual
  void solve(const Field& residual, Field& correction);

private:
  void lower(const Field& residual, Field& y, std::size_t plane) const;
  void upper(Field& d, std::size_t plane) const;
  void receive(Field& field, std::size_t plane, int row_from, std::size_t ghost_row,
               int column_from, std::size_t ghost_column);
  void send(Field& field, std::size_t plane, int row_to, std::size_t edge_row, int column_to,
            std::size_t edge_column);

  const Layout& layout_;
  double relaxation_;
  std::vector<double> column_; ///< of one plane, packed
};

} // namespace apps::wavefront
