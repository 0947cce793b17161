#include "master_worker/master.hpp"

#include "common/larger.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace apps::master_worker {
namespace {

constexpr double first_shift = 0.0;

} // namespace

Master::Master(const Problem& problem, int ranks)
    : problem_(problem), ranks_(ranks), shift_(first_shift), values_(problem.items) {}

double Master::next() {
  std::ranges::fill(values_, std::nan("")); // an item that nobody computed must not pass
  if (ranks_ == 1)
    compute_alone(shift_);
  else
    hand_out(shift_);
  if (first_.empty())
    first_ = values_;
  const double integral = std::accumulate(values_.begin(), values_.end(), 0.0);
  const double exact = Integrand(shift_).exact_integral(0.0, 1.0);
  largest_error_ = larger(largest_error_, std::abs(integral - exact));
  checksum_ += integral;
  shift_ = shift_ + integral - std::floor(shift_ + integral);
  return integral;
}

void Master::compute_alone(double shift) {
  for (std::uint32_t index = 0; index < problem_.items; ++index) {
    const Quadrature answer = compute(item_of(problem_, shift, index));
    values_[index] = answer.integral;
    handed_in_.add(answer);
  }
}

void Master::hand_out(double shift) {
  std::uint32_t next = 0;
  for (int worker = 1; worker < ranks_ && next < problem_.items; ++worker)
    send(shift, next++, worker);
  for (std::uint32_t answers = 0; answers < problem_.items; ++answers)
    take_answer(shift, next);
}

/// Takes the answer of whoever is ready, and gives him the next item if there is one.
void Master::take_answer(double shift, std::uint32_t& next) {
  Quadrature answer{};
  MPI_Status status{};
  MPI_Recv(&answer, answer_size, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  if (next < problem_.items)
    send(shift, next++, status.MPI_SOURCE);
  values_[static_cast<std::size_t>(status.MPI_TAG)] = answer.integral;
  handed_in_.add(answer);
}

void Master::send(double shift, std::uint32_t index, int worker) const {
  const Item item = item_of(problem_, shift, index);
  MPI_Send(&item, item_size, MPI_DOUBLE, worker, static_cast<int>(index), MPI_COMM_WORLD);
}

void Master::end() const {
  for (int worker = 1; worker < ranks_; ++worker)
    MPI_Send(nullptr, 0, MPI_DOUBLE, worker, 0, MPI_COMM_WORLD);
}

bool Master::first_is_that_of_one_rank() const {
  Master alone(problem_, 1);
  alone.next();
  return alone.first_ == first_;
}

} // namespace apps::master_worker
