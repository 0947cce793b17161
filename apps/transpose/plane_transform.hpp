#pragma once

#include "common/fft.hpp"

#include <cstdint>
#include <vector>

namespace apps::transpose {

/// The Fourier transform of a square of numbers that is cut into bands of rows, one for each
/// rank. Between its two passes all ranks exchange blocks (MPI_Alltoall), such that columns
/// become rows; the spectrum is left that way: row c of it has the wave number c along the
/// rows of the field.
class PlaneTransform {
public:
  /// `ranks` divides `side`, a power of two.
  PlaneTransform(std::uint32_t side, std::uint32_t ranks);

  /// Of a rank's band, row after row.
  void forward(std::vector<Complex>& band);
  void inverse(std::vector<Complex>& band);

private:
  void transpose(std::vector<Complex>& band);

  std::size_t side_;
  std::size_t ranks_;
  std::size_t height_; ///< of a band
  Fft fft_;
  std::vector<Complex> packed_;
};

} // namespace apps::transpose
