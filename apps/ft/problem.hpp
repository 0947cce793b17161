#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <string_view>

namespace apps::ft {

/// One class of the NAS FT specification: a diffusion equation in a periodic box.
struct Problem {
  char name;
  std::uint32_t nx; ///< points, powers of two
  std::uint32_t ny;
  std::uint32_t nz;
  std::span<const std::complex<double>> checksums; ///< published results, one per iteration

  static constexpr double tolerance = 1e-12; ///< relative
  static constexpr double alpha = 1e-6;      ///< diffusivity

  [[nodiscard]] int iterations() const { return static_cast<int>(checksums.size()); }
  [[nodiscard]] double points() const { return 1.0 * nx * ny * nz; }
  /// Relative distance from the published result of an iteration, counted from 1.
  [[nodiscard]] double distance(int iteration, std::complex<double> checksum) const;
};

inline constexpr std::string_view problem_classes = "SWABC";

/// `name` is one of `problem_classes`.
const Problem& problem_of_class(char name);

} // namespace apps::ft
