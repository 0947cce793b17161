#include "transpose/plane_transform.hpp"

#include <mpi.h>

namespace apps::transpose {

PlaneTransform::PlaneTransform(std::uint32_t side, std::uint32_t ranks)
    : side_(side), ranks_(ranks), height_(side / ranks), fft_(side), packed_(side_ * height_) {}

void PlaneTransform::forward(std::vector<Complex>& band) {
  for (std::size_t row = 0; row < height_; ++row)
    fft_.forward(std::span(band).subspan(row * side_, side_));
  transpose(band);
  for (std::size_t row = 0; row < height_; ++row)
    fft_.forward(std::span(band).subspan(row * side_, side_));
}

void PlaneTransform::inverse(std::vector<Complex>& band) {
  for (std::size_t row = 0; row < height_; ++row)
    fft_.inverse(std::span(band).subspan(row * side_, side_));
  transpose(band);
  for (std::size_t row = 0; row < height_; ++row)
    fft_.inverse(std::span(band).subspan(row * side_, side_));
}

/// The block of ours that lies in another rank's columns goes to it, transposed: then it only
/// has to put the blocks side by side.
void PlaneTransform::transpose(std::vector<Complex>& band) {
  const std::size_t block = height_ * height_;
  for (std::size_t row = 0; row < height_; ++row)
    for (std::size_t column = 0; column < side_; ++column)
      packed_[column * height_ + row] = band[row * side_ + column];
  const auto count = static_cast<int>(2 * block); // a complex number is two
  MPI_Alltoall(packed_.data(), count, MPI_DOUBLE, band.data(), count, MPI_DOUBLE, MPI_COMM_WORLD);
  packed_.swap(band);
  for (std::size_t rank = 0; rank < ranks_; ++rank)
    for (std::size_t row = 0; row < height_; ++row)
      for (std::size_t i = 0; i < height_; ++i)
        band[row * side_ + rank * height_ + i] = packed_[rank * block + row * height_ + i];
}

} // namespace apps::transpose
