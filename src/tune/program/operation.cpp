#include "tune/program/operation.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

namespace hypermile::tune {
namespace {

constexpr std::array names{std::pair{std::string_view{"bcast"}, Operation::bcast},
                           std::pair{std::string_view{"allreduce"}, Operation::allreduce},
                           std::pair{std::string_view{"allgather"}, Operation::allgather},
                           std::pair{std::string_view{"alltoall"}, Operation::alltoall},
                           std::pair{std::string_view{"scatter"}, Operation::scatter}};

struct Place {
  int rank;
  int ranks;
};

Place place_in(MPI_Comm communicator) {
  Place place{};
  MPI_Comm_rank(communicator, &place.rank);
  MPI_Comm_size(communicator, &place.ranks);
  return place;
}

/// Byte `i` of what `from` sends to `to`.
char byte_of(int from, int to, std::size_t i, int round) {
  constexpr std::size_t prime = 251;
  return static_cast<char>((static_cast<std::size_t>(from) * 31 +
                            static_cast<std::size_t>(to) * 17 + i +
                            static_cast<std::size_t>(round)) %
                           prime);
}

/// Element `i` of the vector of a rank: sums of them are exact.
double element_of(int rank, std::size_t i, int round) {
  return static_cast<double>(i % 64) + rank + round % 1000;
}

double sum_of(int ranks, std::size_t i, int round) {
  return ranks * element_of(0, i, round) + ranks * (ranks - 1) / 2.0;
}

void fill_bytes(char* bytes, int size_b, int from, int to, int round) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(size_b); ++i)
    bytes[i] = byte_of(from, to, i, round);
}

bool are_bytes(const char* bytes, int size_b, int from, int to, int round) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(size_b); ++i)
    if (bytes[i] != byte_of(from, to, i, round))
      return false;
  return true;
}

bool are_sums(const char* bytes, int size_b, int ranks, int round) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(size_b) / sizeof(double); ++i) {
    double sum = 0;
    std::memcpy(&sum, bytes + i * sizeof sum, sizeof sum);
    if (sum != sum_of(ranks, i, round))
      return false;
  }
  return true;
}

std::size_t product(int a, int b) {
  return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
}

} // namespace

Operation operation_named(std::string_view name) {
  for (const auto& [its_name, operation] : names)
    if (its_name == name)
      return operation;
  throw std::runtime_error("'" + std::string(name) + "' is no operation");
}

Lengths lengths_of(Operation operation, int size_b, int ranks) {
  const auto one = static_cast<std::size_t>(size_b);
  switch (operation) {
  case Operation::bcast:
    return {one, 0};
  case Operation::allreduce:
    return {one, one};
  case Operation::allgather:
    return {one, product(size_b, ranks)};
  case Operation::alltoall:
    return {product(size_b, ranks), product(size_b, ranks)};
  case Operation::scatter:
    return {product(size_b, ranks), one};
  }
  return {};
}

void perform(Operation operation, const Buffers& buffers, int size_b, int root,
             MPI_Comm communicator) {
  switch (operation) {
  case Operation::bcast:
    MPI_Bcast(buffers.send, size_b, MPI_BYTE, root, communicator);
    return;
  case Operation::allreduce:
    MPI_Allreduce(buffers.send, buffers.receive, size_b / static_cast<int>(sizeof(double)),
                  MPI_DOUBLE, MPI_SUM, communicator);
    return;
  case Operation::allgather:
    MPI_Allgather(buffers.send, size_b, MPI_BYTE, buffers.receive, size_b, MPI_BYTE, communicator);
    return;
  case Operation::alltoall:
    MPI_Alltoall(buffers.send, size_b, MPI_BYTE, buffers.receive, size_b, MPI_BYTE, communicator);
    return;
  case Operation::scatter:
    MPI_Scatter(buffers.send, size_b, MPI_BYTE, buffers.receive, size_b, MPI_BYTE, root,
                communicator);
    return;
  }
}

CheckedBuffers::CheckedBuffers(Operation operation, int largest_b, int ranks)
    : operation_(operation), send_(lengths_of(operation, largest_b, ranks).send_b, 'h'),
      receive_(lengths_of(operation, largest_b, ranks).receive_b, 'h') {}

void CheckedBuffers::fill(int size_b, int root, int round, MPI_Comm communicator) {
  const auto [rank, ranks] = place_in(communicator);
  const bool to_each = operation_ == Operation::alltoall || operation_ == Operation::scatter;
  const int to_all = to_each ? ranks : 1;
  if (operation_ == Operation::bcast)
    fill_bytes(send_.data(), size_b, root, 0, rank == root ? round : round + 1);
  else if (operation_ == Operation::allreduce)
    for (std::size_t i = 0; i < static_cast<std::size_t>(size_b) / sizeof(double); ++i) {
      const double element = element_of(rank, i, round);
      std::memcpy(send_.data() + i * sizeof element, &element, sizeof element);
    }
  else
    for (int to = 0; to < to_all; ++to)
      fill_bytes(send_.data() + product(to, size_b), size_b, rank, to, round);
  const auto received_b =
      static_cast<std::ptrdiff_t>(lengths_of(operation_, size_b, ranks).receive_b);
  std::fill(receive_.begin(), receive_.begin() + received_b, static_cast<char>(-1));
}

void CheckedBuffers::check(int size_b, int root, int round, MPI_Comm communicator) const {
  const auto [rank, ranks] = place_in(communicator);
  bool right = true;
  if (operation_ == Operation::bcast)
    right = are_bytes(send_.data(), size_b, root, 0, round);
  else if (operation_ == Operation::allreduce)
    right = are_sums(receive_.data(), size_b, ranks, round);
  else if (operation_ == Operation::scatter)
    right = are_bytes(receive_.data(), size_b, root, rank, round);
  else
    for (int from = 0; from < ranks; ++from)
      right = right && are_bytes(receive_.data() + product(from, size_b), size_b, from,
                                 operation_ == Operation::alltoall ? rank : 0, round);
  if (!right)
    throw std::runtime_error("an operation has not delivered what was sent");
}

} // namespace hypermile::tune
