#include "ft/spectrum.hpp"

#include "kernels/lcg46.hpp"

#include <cmath>
#include <numbers>

namespace apps::ft {
namespace {

/// exp(-4 alpha pi^2 k^2) for each wave number k; the upper half of them are negative.
std::vector<double> factors(std::uint32_t points) {
  std::vector<double> result;
  for (std::uint32_t i = 0; i < points; ++i) {
    const double k = i < points / 2 ? 1.0 * i : 1.0 * i - points;
    result.push_back(std::exp(-4.0 * Problem::alpha * std::numbers::pi * std::numbers::pi * k * k));
  }
  return result;
}

} // namespace

void fill_randomly(const Problem& problem, Range planes, std::span<Complex> field) {
  constexpr std::uint64_t seed = 314159265;
  hypermile::kernels::Lcg46 random(seed);
  random.skip(std::uint64_t{2} * problem.nx * problem.ny * planes.begin);
  for (Complex& value : field) {
    const double real = random.next();
    value = {real, random.next()};
  }
}

Decay::Decay(const Problem& problem)
    : x_(factors(problem.nx)), y_(factors(problem.ny)), z_(factors(problem.nz)) {}

void Decay::apply(std::span<Complex> spectrum, Range rows) const {
  Complex* value = spectrum.data();
  for (const double of_z : z_)
    for (std::uint32_t y = rows.begin; y < rows.end; ++y) {
      const double of_row = of_z * y_[y];
      for (const double of_x : x_)
        *value++ *= of_row * of_x;
    }
}

Complex local_checksum(const Problem& problem, Range planes, std::span<const Complex> field) {
  Complex sum = 0.0;
  for (std::uint32_t j = 1; j <= 1024; ++j) {
    const std::uint32_t x = j % problem.nx;
    const std::uint32_t y = 3 * j % problem.ny;
    const std::uint32_t z = 5 * j % problem.nz;
    if (planes.contains(z))
      sum += field[(std::size_t{z - planes.begin} * problem.ny + y) * problem.nx + x];
  }
  return sum / problem.points();
}

} // namespace apps::ft
