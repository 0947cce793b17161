#pragma once

#include "replay/program/collectives.hpp"
#include "replay/program/communicators.hpp"
#include "replay/recorded_run.hpp"

#include <mpi.h>

#include <cstddef>
#include <unordered_map>

namespace hypermile::replay {

/// Functions of hypermile, where it is loaded into this program; null where it is not.
struct Hooks {
  /// The calls that follow count as calls of this function (a number of
  /// runtime::pmpi::Function), from this place, with these numbers as arguments.
  void (*call_as)(std::uint16_t function, const void* site, std::uint64_t detail) = nullptr;
  void (*on_iteration)() = nullptr;
  /// So much was computed since the last call, in the platform's unit.
  void (*on_computation)(double work) = nullptr;
};
[[nodiscard]] Hooks find_hooks();

/// Makes the calls that one rank of a run made, and computes as long as it did.
class RankReplay {
public:
  /// Keeps a reference to `run`.
  RankReplay(const RecordedRun& run, int rank, Buffers buffers, Hooks hooks);
  /// Between MPI_Init and MPI_Finalize. Throws Error{config} for a run that cannot be repeated.
  void play();

private:
  using Operation = model::Operation;
  /// The events of an MPI call.
  struct Call {
    std::size_t first;
    std::size_t end;
  };

  [[nodiscard]] const Operation& operation(std::size_t event) const {
    return timeline_.operations[timeline_.events[event].operation];
  }
  [[nodiscard]] const std::string& function(const Operation& operation) const {
    return run_.timeline.functions[operation.function];
  }
  void compute(Work work) const;
  void make(const Call& call);
  bool make_as_one(const Call& call);
  void exchange(const Call& call);
  void send(const Operation& send, MPI_Request* request) const;
  void receive(const Operation& receive, MPI_Request* request) const;
  void probe(const Operation& probe) const;
  void arrive(const Operation& arrival, MPI_Request* request);
  void begin(std::size_t event);
  void wait(const Call& call);
  void sleep(const Call& call) const;
  void do_nothing(const std::string& function) const;
  void leave_rest();

  const RecordedRun& run_;
  const model::RankTimeline& timeline_;
  Buffers buffers_;
  Hooks hooks_;
  std::vector<std::uint16_t> numbers_; ///< of functions, by their index in the timeline
  Communicators communicators_;
  Collectives collectives_;
  std::unordered_map<std::size_t, MPI_Request> requests_; ///< by the event that began them
};

} // namespace hypermile::replay
