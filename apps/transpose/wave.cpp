#include "transpose/wave.hpp"

#include "common/session.hpp"
#include "kernels/lcg46.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

namespace apps::transpose {
namespace {

/// The field of the beginning, in these rows.
std::vector<Complex> random_band(const Problem& problem, Range rows) {
  constexpr std::uint64_t seed = 314159265;
  hypermile::kernels::Lcg46 random(seed);
  random.skip(2 * std::uint64_t{problem.side} * rows.begin);
  std::vector<Complex> band(std::size_t{rows.size()} * problem.side);
  for (Complex& value : band) {
    const double real = random.next() - 0.5;
    value = {real, random.next() - 0.5};
  }
  return band;
}

/// The square of wave number `index`, the upper half being negative ones.
double squared(std::uint32_t index, std::uint32_t side) {
  const double number = index < side / 2 ? 1.0 * index : 1.0 * index - 1.0 * side;
  return number * number;
}

/// By what the wave with these indices turns in one step. The steps are such that the
/// shortest waves turn by half a turn.
double angle(std::uint32_t row, std::uint32_t column, std::uint32_t side) {
  const double largest = 2.0 * squared(side / 2, side);
  return -std::numbers::pi * (squared(row, side) + squared(column, side)) / largest;
}

double sum_of_squares(const std::vector<Complex>& band, std::size_t side) {
  double sum = 0.0;
  for (std::size_t begin = 0; begin < band.size(); begin += side) {
    double row_sum = 0.0; // keeps the rounding small
    for (std::size_t i = begin; i < begin + side; ++i)
      row_sum += band[i].real() * band[i].real() + band[i].imag() * band[i].imag();
    sum += row_sum;
  }
  return sum;
}

} // namespace

Wave::Wave(const Problem& problem, Range rows)
    : problem_(problem), rows_(rows), transform_(problem.side, problem.side / rows.size()),
      psi_(random_band(problem, rows)) {
  for (std::uint32_t row = rows.begin; row < rows.end; ++row)
    for (std::uint32_t column = 0; column < problem.side; ++column)
      factors_.push_back(std::polar(1.0, angle(row, column, problem.side)));
}

void Wave::restart() { psi_ = random_band(problem_, rows_); }

void Wave::step() {
  transform_.forward(psi_);
  const double points = 1.0 * problem_.side * problem_.side;
  std::array<double, 2> sums{};
  sums[1] = sum_of_squares(psi_, problem_.side) / points;
  for (std::size_t i = 0; i < psi_.size(); ++i)
    psi_[i] = times(psi_[i], factors_[i]);
  transform_.inverse(psi_);
  sums[0] = sum_of_squares(psi_, problem_.side);
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  norms_ = {sums[0], sums[1]};
}

void Wave::turn(double steps) {
  transform_.forward(psi_);
  std::size_t i = 0;
  for (std::uint32_t row = rows_.begin; row < rows_.end; ++row)
    for (std::uint32_t column = 0; column < problem_.side; ++column, ++i)
      psi_[i] = times(psi_[i], std::polar(1.0, steps * angle(row, column, problem_.side)));
  transform_.inverse(psi_);
}

double Wave::distance_from_start(int steps) {
  turn(-steps);
  const auto start = random_band(problem_, rows_);
  for (std::size_t i = 0; i < psi_.size(); ++i)
    psi_[i] -= start[i];
  const double difference = sum_of_ranks(sum_of_squares(psi_, problem_.side));
  return std::sqrt(difference / sum_of_ranks(sum_of_squares(start, problem_.side)));
}

double Wave::plane_wave_error() {
  const std::uint32_t along_rows = 3; // no symmetry
  const std::uint32_t along_columns = problem_.side - 5;
  const double points = 1.0 * problem_.side * problem_.side;
  std::vector<Complex> band;
  for (std::uint64_t row = rows_.begin; row < rows_.end; ++row)
    for (std::uint64_t column = 0; column < problem_.side; ++column) {
      const std::uint64_t phase = (along_columns * row + along_rows * column) % problem_.side;
      band.push_back(
          std::polar(1.0, 2.0 * std::numbers::pi * static_cast<double>(phase) / problem_.side));
    }
  transform_.forward(band);
  if (rows_.contains(along_rows))
    band[(along_rows - rows_.begin) * std::size_t{problem_.side} + along_columns] -= points;
  return std::sqrt(sum_of_ranks(sum_of_squares(band, problem_.side))) / points;
}

double rounding_of_transform(const Problem& problem) {
  return 8.0 * std::numeric_limits<double>::epsilon() * 2.0 * (std::bit_width(problem.side) - 1.0);
}

} // namespace apps::transpose
