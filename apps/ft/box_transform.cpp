#include "ft/box_transform.hpp"

#include <mpi.h>

#include <algorithm>

namespace apps::ft {

BoxTransform::BoxTransform(const Problem& problem, std::uint32_t rank, std::uint32_t ranks)
    : ranks_(ranks), nx_(problem.nx), ny_(problem.ny),
      planes_(part_of({0, problem.nz}, ranks, rank)), rows_(part_of({0, problem.ny}, ranks, rank)),
      size_(nx_ * ny_ * planes_.size()), x_(problem.nx), y_(problem.ny), z_(problem.nz),
      packed_(size_) {}

/// Calls copy(place in a slab of planes, place among the blocks, how many): the block of a rank
/// has its rows of y in each of our planes.
template <typename Copy> void BoxTransform::for_each_block_row(Copy copy) const {
  const std::size_t count = rows_.size() * nx_;
  for (std::size_t rank = 0; rank < ranks_; ++rank)
    for (std::size_t plane = 0; plane < planes_.size(); ++plane)
      copy(plane * ny_ * nx_ + rank * count, (rank * planes_.size() + plane) * count, count);
}

void BoxTransform::exchange(std::span<const Complex> from, std::span<Complex> to,
                            std::uint32_t ranks) {
  const auto count = static_cast<int>(2 * from.size() / ranks); // a complex number is two
  MPI_Alltoall(from.data(), count, MPI_DOUBLE, to.data(), count, MPI_DOUBLE, MPI_COMM_WORLD);
}

void BoxTransform::forward(std::span<Complex> slab) {
  x_.along_lines(slab, Direction::forward);
  y_.across_rows(slab, nx_, Direction::forward);
  for_each_block_row([&](std::size_t place, std::size_t block, std::size_t count) {
    std::copy_n(slab.data() + place, count, packed_.data() + block);
  });
  exchange(packed_, slab, ranks_); // blocks arrive in the order of z
  z_.across_rows(slab, rows_.size() * nx_, Direction::forward);
}

void BoxTransform::inverse(std::span<Complex> slab) {
  z_.across_rows(slab, rows_.size() * nx_, Direction::inverse);
  exchange(slab, packed_, ranks_);
  for_each_block_row([&](std::size_t place, std::size_t block, std::size_t count) {
    std::copy_n(packed_.data() + block, count, slab.data() + place);
  });
  y_.across_rows(slab, nx_, Direction::inverse);
  x_.along_lines(slab, Direction::inverse);
}

} // namespace apps::ft
