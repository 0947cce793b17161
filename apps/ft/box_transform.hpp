#pragma once

#include "common/range.hpp"
#include "ft/passes.hpp"
#include "ft/problem.hpp"

#include <vector>

namespace apps::ft {

/// The Fourier transform of a box that is cut into slabs, one for each rank. In space a rank has
/// planes of z, in the spectrum rows of y; one MPI_Alltoall lies between. In both, x is fastest,
/// then y, then z.
class BoxTransform {
public:
  /// `ranks` divides ny and nz.
  BoxTransform(const Problem& problem, std::uint32_t rank, std::uint32_t ranks);

  [[nodiscard]] Range planes() const { return planes_; } ///< of z, in space
  [[nodiscard]] Range rows() const { return rows_; }     ///< of y, in the spectrum
  /// How many numbers a rank has.
  [[nodiscard]] std::size_t size() const { return size_; }

  void forward(std::span<Complex> slab);
  /// Unscaled.
  void inverse(std::span<Complex> slab);

private:
  /// Block i of `from` goes to rank i, and block i of `to` comes from there.
  static void exchange(std::span<const Complex> from, std::span<Complex> to, std::uint32_t ranks);
  template <typename Copy> void for_each_block_row(Copy copy) const;

  std::uint32_t ranks_;
  std::size_t nx_;
  std::size_t ny_;
  Range planes_;
  Range rows_;
  std::size_t size_;
  Pass x_, y_, z_;
  std::vector<Complex> packed_;
};

} // namespace apps::ft
