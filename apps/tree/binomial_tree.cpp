#include "tree/binomial_tree.hpp"

#include <mpi.h>

namespace apps::tree {
namespace {

constexpr int up_tag = 1;
constexpr int down_tag = 2;

} // namespace

void BinomialTree::reduce(std::span<double> values) {
  const auto count = static_cast<int>(values.size());
  received_.resize(values.size());
  for (const int child : place_.children) {
    MPI_Recv(received_.data(), count, MPI_DOUBLE, child, up_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] += received_[i];
  }
  if (place_.parent)
    MPI_Send(values.data(), count, MPI_DOUBLE, *place_.parent, up_tag, MPI_COMM_WORLD);
}

void BinomialTree::broadcast(std::span<double> values) const {
  const auto count = static_cast<int>(values.size());
  if (place_.parent)
    MPI_Recv(values.data(), count, MPI_DOUBLE, *place_.parent, down_tag, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  for (auto child = place_.children.rbegin(); child != place_.children.rend();
       ++child) // the longest way first
    MPI_Send(values.data(), count, MPI_DOUBLE, *child, down_tag, MPI_COMM_WORLD);
}

void BinomialTree::sum(std::span<double> values) {
  reduce(values);
  broadcast(values);
}

} // namespace apps::tree
