#include "mg/solver.hpp"

#include "common/session.hpp"
#include "mg/charges.hpp"

#include <algorithm>
#include <cmath>

namespace apps::mg {

Solver::Solver(const Problem& problem, const RankGrid& grid)
    : problem_(problem), v_(LevelPart(problem.side(), grid).size()) {
  for (unsigned k = 1; k <= problem.levels; ++k) {
    const LevelPart part(1U << k, grid);
    const LevelPart finer(1U << std::min(k + 1, problem.levels), grid);
    levels_.push_back({part, Ghosts(grid, part, finer), Field(part.size()), Field(part.size())});
  }
  set_charges();
  restart();
}

/// Rank 0 merges the candidates of all ranks.
void Solver::set_charges() {
  const LevelPart& part = finest().part;
  Charges charges(problem_.side(), part);
  const auto size = static_cast<int>(sizeof charges);
  int ranks = 1;
  int rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<Charges> of_ranks(rank == 0 ? static_cast<std::size_t>(ranks) : 0, charges);
  MPI_Gather(&charges, size, MPI_BYTE, of_ranks.data(), size, MPI_BYTE, 0, MPI_COMM_WORLD);
  for (std::size_t other = 1; other < of_ranks.size(); ++other)
    charges.merge(of_ranks[other]);
  MPI_Bcast(&charges, size, MPI_BYTE, 0, MPI_COMM_WORLD);
  charges.put_into(v_, problem_.side(), part);
  finest().ghosts.exchange(v_);
}

void Solver::restart() {
  std::ranges::fill(finest().u.values, 0.0);
  residual(v_, finest().u, finest().r);
  finest().ghosts.exchange(finest().r);
}

void Solver::iterate() {
  descend();
  ascend();
  residual(v_, finest().u, finest().r);
  finest().ghosts.exchange(finest().r);
}

void Solver::descend() {
  for (std::size_t k = levels_.size() - 1; k > 0; --k) {
    Level& coarse = levels_[k - 1];
    if (!coarse.part.is_active())
      return;
    restrict_to(coarse.r, levels_[k].r, levels_[k].part.parity());
    coarse.ghosts.exchange(coarse.r);
  }
}

void Solver::ascend() {
  Level& coarsest = levels_.front();
  if (coarsest.part.is_active()) {
    std::ranges::fill(coarsest.u.values, 0.0);
    smooth(problem_.smoother, coarsest.r, coarsest.u);
    coarsest.ghosts.exchange(coarsest.u);
  }
  for (std::size_t k = 1; k < levels_.size(); ++k) {
    Level& level = levels_[k];
    if (!level.part.is_active())
      continue;
    levels_[k - 1].ghosts.extend(levels_[k - 1].u);
    if (k + 1 < levels_.size())
      std::ranges::fill(level.u.values, 0.0);
    correct(level, levels_[k - 1], k + 1 < levels_.size() ? level.r : v_);
  }
}

void Solver::correct(Level& level, const Level& coarser, const Field& source) {
  interpolate(coarser.u, level.u, level.part.parity());
  residual(source, level.u, level.r);
  level.ghosts.exchange(level.r);
  smooth(problem_.smoother, level.r, level.u);
  level.ghosts.exchange(level.u);
}

Solver::Norms Solver::norms() const {
  const Field& r = levels_.back().r;
  double squares = 0.0;
  double largest = 0.0;
  for (std::size_t z = 1; z <= r.size[2]; ++z)
    for (std::size_t y = 1; y <= r.size[1]; ++y)
      for (std::size_t i = 1; i <= r.size[0]; ++i) {
        const double value = r.row(z, y)[i];
        squares += value * value;
        largest = larger(largest, std::abs(value));
      }
  largest = largest_of_ranks(largest);
  return {std::sqrt(sum_of_ranks(squares) / problem_.points()), largest};
}

} // namespace apps::mg
