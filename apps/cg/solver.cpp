#include "cg/solver.hpp"

#include "cg/problem.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace apps::cg {
namespace {

constexpr int sum_tag = 1;
constexpr int reduce_tag = 2;
constexpr int transpose_tag = 3;

void exchange(int partner, int tag, std::span<const double> out, std::span<double> in) {
  MPI_Request request{};
  MPI_Irecv(in.data(), static_cast<int>(in.size()), MPI_DOUBLE, partner, tag, MPI_COMM_WORLD,
            &request);
  MPI_Send(out.data(), static_cast<int>(out.size()), MPI_DOUBLE, partner, tag, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

std::span<double> slice(std::vector<double>& vector, Range range) {
  return std::span(vector).subspan(range.begin, range.size());
}

} // namespace

double local_dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

Solver::Solver(const Grid& grid, const Matrix& matrix)
    : grid_(grid), matrix_(matrix), p_(grid.columns.size()), q_(grid.columns.size()),
      r_(grid.columns.size()), w_(grid.rows.size()), received_(grid.rows.size()) {}

void Solver::sum_over_row(std::span<double> sums) const {
  std::array<double, 2> theirs{};
  for (const int partner : grid_.row_partners) {
    exchange(partner, sum_tag, sums, std::span(theirs).first(sums.size()));
    for (std::size_t i = 0; i < sums.size(); ++i)
      sums[i] += theirs[i];
  }
}

double Solver::dot(std::span<const double> a, std::span<const double> b) const {
  std::array<double, 1> sum = {local_dot(a, b)};
  sum_over_row(sum);
  return sum[0];
}

void Solver::multiply(std::span<const double> p, std::span<double> result) {
  matrix_.multiply(p, w_);
  reduce_row();
  transpose(result);
}

/// Leaves in w_[kept] the sum over the grid row. In a wide grid the nearest two
/// partners first halve the vector between them; all else is recursive doubling.
void Solver::reduce_row() {
  const std::span<double> mine = slice(w_, grid_.kept);
  const std::span<double> theirs = slice(received_, grid_.kept);
  bool halving = grid_.given.size() > 0;
  for (auto partner = grid_.row_partners.rbegin(); partner != grid_.row_partners.rend();
       ++partner) {
    exchange(*partner, reduce_tag, halving ? slice(w_, grid_.given) : mine, theirs);
    halving = false;
    for (std::size_t i = 0; i < mine.size(); ++i)
      mine[i] += theirs[i];
  }
}

/// Rows become columns: gives w_[kept] to the rank that holds those columns.
void Solver::transpose(std::span<double> result) const {
  const auto mine = std::span(w_).subspan(grid_.kept.begin, grid_.kept.size());
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (grid_.transpose_partner == rank)
    std::ranges::copy(mine, result.begin());
  else
    exchange(grid_.transpose_partner, transpose_tag, mine, result);
}

double Solver::solve(std::span<const double> x, std::span<double> z) {
  std::ranges::fill(z, 0.0);
  std::ranges::copy(x, r_.begin());
  std::ranges::copy(x, p_.begin());
  double rho = dot(r_, r_);
  for (int step = 0; step < Problem::cg_steps; ++step) {
    multiply(p_, q_);
    const double alpha = rho / dot(p_, q_);
    for (std::size_t i = 0; i < z.size(); ++i) {
      z[i] += alpha * p_[i];
      r_[i] -= alpha * q_[i];
    }
    const double rho_before = rho;
    rho = dot(r_, r_);
    const double beta = rho / rho_before;
    for (std::size_t i = 0; i < p_.size(); ++i)
      p_[i] = r_[i] + beta * p_[i];
  }

  multiply(z, r_);
  for (std::size_t i = 0; i < r_.size(); ++i)
    r_[i] = x[i] - r_[i];
  return std::sqrt(dot(r_, r_));
}

} // namespace apps::cg
