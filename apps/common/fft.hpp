#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

namespace apps {

using Complex = std::complex<double>;

/// a b, without the care for infinities that the operator takes.
inline Complex times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// The discrete Fourier transform of `length` numbers, a power of two. An instance has its own
/// memory, which a transform uses: it is for one rank.
///
/// x may hold several transforms, as many as its size is multiples of `length`. They are
/// interleaved: number j of transform i of `count` is x[j * count + i].
class Fft {
public:
  explicit Fft(std::uint32_t length);

  /// X_k = sum_j x_j exp(-2 pi i j k / length), in place.
  void forward(std::span<Complex> x);
  /// x_j = 1 / length sum_k X_k exp(2 pi i j k / length), in place.
  void inverse(std::span<Complex> x);
  /// Like inverse(), but without the factor.
  void inverse_unscaled(std::span<Complex> x);

private:
  void transform(std::span<Complex> x, double sign);

  std::size_t length_;
  std::vector<Complex> roots_; ///< exp(-2 pi i j / length), j < length / 2
  std::vector<Complex> scratch_;
};

} // namespace apps
