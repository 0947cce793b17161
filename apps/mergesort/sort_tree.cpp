#include "mergesort/sort_tree.hpp"

#include <mpi.h>

namespace apps::mergesort {
namespace {

constexpr int down_tag = 1;
constexpr int up_tag = 2;

void send(std::span<const Key> keys, int to, int tag) {
  MPI_Send(keys.data(), static_cast<int>(keys.size()), MPI_INT32_T, to, tag, MPI_COMM_WORLD);
}

void receive(std::span<Key> keys, int from, int tag) {
  MPI_Recv(keys.data(), static_cast<int>(keys.size()), MPI_INT32_T, from, tag, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
}

} // namespace

SortTree::SortTree(const Problem& problem, int rank, int ranks)
    : problem_(problem), rank_(rank), ranks_(ranks), place_(tree_place(rank, ranks)),
      received_(place_.parent ? keys_below(rank).size() : 0), sorted_(keys_below(rank).size()) {}

Range SortTree::keys_below(int rank) const {
  return keys_of_ranks(problem_, ranks_, rank, tree_place(rank, ranks_).end);
}

void SortTree::sort(std::span<const Key> unsorted) {
  if (place_.parent) {
    receive(received_, *place_.parent, down_tag);
    unsorted = received_;
  }
  const Range own = keys_of_ranks(problem_, ranks_, rank_, rank_ + 1);
  for (auto child = place_.children.rbegin(); child != place_.children.rend(); ++child) {
    const Range keys = keys_below(*child);
    send(unsorted.subspan(keys.begin - own.begin, keys.size()), *child, down_tag);
  }
  sorted_.sort(unsorted.first(own.size()));
  for (const int child : place_.children) {
    const std::size_t count = keys_below(child).size();
    receive(sorted_.room_for(count), child, up_tag);
    sorted_.merge_further(count);
  }
  if (place_.parent)
    send(sorted_.keys(), *place_.parent, up_tag);
}

} // namespace apps::mergesort
