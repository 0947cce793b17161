#include "ft/passes.hpp"

#include <algorithm>

namespace apps::ft {

void Pass::transform(std::span<Complex> x, Direction direction) {
  if (direction == Direction::forward)
    fft_.forward(x);
  else
    fft_.inverse_unscaled(x);
}

void Pass::along_lines(std::span<Complex> box, Direction direction) {
  for (std::size_t begin = 0; begin < box.size(); begin += length_)
    transform(box.subspan(begin, length_), direction);
}

void Pass::across_rows(std::span<Complex> box, std::size_t width, Direction direction) {
  const std::size_t columns = std::min<std::size_t>(16, width);
  block_.resize(length_ * columns);
  for (std::size_t group = 0; group < box.size(); group += length_ * width)
    for (std::size_t column = 0; column < width; column += columns) {
      Complex* corner = box.data() + group + column;
      for (std::size_t row = 0; row < length_; ++row)
        std::copy_n(corner + row * width, columns, block_.data() + row * columns);
      transform(block_, direction);
      for (std::size_t row = 0; row < length_; ++row)
        std::copy_n(block_.data() + row * columns, columns, corner + row * width);
    }
}

} // namespace apps::ft
