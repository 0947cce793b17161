#pragma once

#include "common/fft.hpp"

#include <span>
#include <vector>

namespace apps::ft {

enum class Direction { forward, inverse };

/// Fourier transforms along one direction of a box. The inverse ones are not scaled.
class Pass {
public:
  explicit Pass(std::uint32_t length) : length_(length), fft_(length) {}

  /// Of lines that are one after the other.
  void along_lines(std::span<Complex> box, Direction direction);

  /// Across rows: number j of a transform is in row j of `length` rows, each of `width` numbers.
  /// The box may hold several such groups of rows.
  void across_rows(std::span<Complex> box, std::size_t width, Direction direction);

private:
  void transform(std::span<Complex> x, Direction direction);

  std::size_t length_;
  Fft fft_;
  std::vector<Complex> block_; ///< some columns of the rows: these stay in the cache
};

} // namespace apps::ft
