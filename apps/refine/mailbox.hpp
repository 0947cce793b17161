#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <vector>

namespace apps::refine {

/// Carries parcels from rank to rank: all those between two ranks in one message. Whoever sends
/// and whoever receives list their parcels in the same order.
class Mailbox {
public:
  explicit Mailbox(MPI_Comm comm);

  /// Parcel `index` of `count` numbers, from one rank to another; it may concern neither.
  void add(std::size_t index, std::size_t count, std::size_t from, std::size_t to);

  using Pack = std::function<void(std::size_t index, std::span<double> values)>;
  using Unpack = std::function<void(std::size_t index, std::span<const double> values)>;
  /// Takes messages in the order in which they arrive.
  void deliver(const Pack& pack, const Unpack& unpack);

private:
  struct Parcel {
    std::size_t index;
    std::size_t begin;
    std::size_t count;
  };
  struct Message {
    std::vector<Parcel> parcels;
    std::vector<double> values;

    void add(std::size_t index, std::size_t count);
    void pack(const Pack& pack);
    void unpack(const Unpack& unpack) const;
  };

  MPI_Comm comm_;
  std::size_t rank_ = 0;
  std::map<std::size_t, Message> sent_; ///< by the other rank
  std::map<std::size_t, Message> received_;
  Message kept_;
};

} // namespace apps::refine
