#include "common/fft.hpp"

#include <algorithm>
#include <numbers>
#include <utility>

namespace apps {

Fft::Fft(std::uint32_t length) : length_(length) {
  for (std::uint32_t j = 0; j < length / 2; ++j)
    roots_.push_back(std::polar(1.0, -2.0 * std::numbers::pi * j / length));
}

void Fft::forward(std::span<Complex> x) { transform(x, 1.0); }

void Fft::inverse(std::span<Complex> x) {
  transform(x, -1.0);
  const double scale = 1.0 / static_cast<double>(length_);
  for (Complex& value : x)
    value *= scale;
}

void Fft::inverse_unscaled(std::span<Complex> x) { transform(x, -1.0); }

/// Stockham's form of radix 2: each pass goes from one array to the other and leaves the
/// numbers in order. Before a pass there are `stride` interleaved transforms of `length`.
void Fft::transform(std::span<Complex> x, double sign) {
  scratch_.resize(x.size());
  Complex* from = x.data();
  Complex* to = scratch_.data();
  const std::size_t count = x.size() / length_;
  for (std::size_t length = length_, stride = count; length > 1; length /= 2, stride *= 2) {
    const std::size_t half = length / 2;
    for (std::size_t p = 0; p < half; ++p) {
      const Complex forward = roots_[p * (stride / count)];
      const Complex root(forward.real(), sign * forward.imag());
      const Complex* a = from + p * stride;
      const Complex* b = from + (p + half) * stride;
      Complex* sums = to + 2 * p * stride;
      Complex* differences = sums + stride;
      for (std::size_t q = 0; q < stride; ++q) {
        sums[q] = a[q] + b[q];
        differences[q] = times(a[q] - b[q], root);
      }
    }
    std::swap(from, to);
  }
  if (from != x.data())
    std::copy_n(from, x.size(), x.data());
}

} // namespace apps
