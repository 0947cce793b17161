#pragma once

#include "trace/incoming.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace hypermile::trace {

/// A function that a trace's ranks enter and leave.
struct Region {
  enum class Kind : std::uint8_t {
    program,   ///< computes
    mpi,       ///< an MPI function that hypermile knows
    init,      ///< MPI_Init: what comes before is not looked at
    finalize,  ///< MPI_Finalize: what comes after is not looked at
    one_sided, ///< an MPI function that cannot be followed
    sleep,     ///< lets time pass
    mark       ///< hm_iteration()
  };
  Kind kind = Kind::program;
  std::string name;           ///< as in the trace
  std::uint16_t function = 0; ///< as Operation::function
  bool is_collective = false; ///< a trace has to tell of an operation in it
};

/// Makes a rank's timeline of the events of a trace, which come in their order.
///
/// A call is what is between entering and leaving the outermost MPI function; everything else
/// counts as computation. All functions throw Error{config}, without saying which rank it is, for
/// events that cannot be: a clock that goes back, a function left that was not entered, a message
/// outside of MPI, a request that there is not.
class RankBuilder {
public:
  /// How MPI moves a message, by the function that says so in a trace.
  struct Message {
    std::uint32_t partner = 0; ///< a rank of the communicator
    std::uint64_t communicator = 0;
    std::uint32_t tag = 0;
    std::uint64_t bytes = 0;
  };
  using Request = std::uint64_t;

  /// `speed`: of the core, by which work is told. Keeps a reference to the communicators.
  RankBuilder(std::uint32_t rank, Speed speed, double ticks_per_second,
              const IncomingCommunicators& communicators);

  /// Every event: when it was.
  void at(std::uint64_t ticks);
  void enter(const Region& region);
  void leave(const Region& region);

  void send(const Message& message);
  void start_send(const Message& message, Request request);
  void end_send(Request request);
  void receive(const Message& message);
  void start_receive(Request request);
  void end_receive(const Message& message, Request request);
  void cancel(Request request);
  void collective(IncomingCollective collective);
  void start_collective(Request request);
  void end_collective(IncomingCollective collective, Request request);

  /// After the last event.
  [[nodiscard]] IncomingRank finish();

private:
  struct Started { ///< something that a request stands for
    std::uint32_t event = 0;
    model::Operation operation;
    enum class What : std::uint8_t { send, receive, collective } what = What::send;
    std::size_t place = 0; ///< collective: among those of the rank
  };
  struct Call {
    const Region* region = nullptr;
    std::uint64_t entered = 0;
    std::size_t first = 0;       ///< its first event
    std::size_t collectives = 0; ///< of the rank, before it
    std::uint32_t site = 0;
  };

  [[noreturn]] void fail(const std::string& what, const std::string& advice = "") const;
  [[nodiscard]] bool ignored() const { return !begun_ || ended_; }
  void begin(std::uint64_t ticks);
  void finish_call();
  void check_in_call(const char* what) const;
  [[nodiscard]] model::Operation operation(model::Action action) const;
  [[nodiscard]] model::Operation message_operation(model::Action action, const Message& message);
  void use(std::uint64_t communicator);
  std::uint32_t add(const model::Operation& operation);
  void complete(std::uint32_t started);
  std::uint32_t number(const model::Operation& operation);
  Started take(Request request, Started::What what);
  [[nodiscard]] Seconds time(std::uint64_t ticks) const;
  [[nodiscard]] std::uint32_t site_of(const Region& region);

  struct OperationHash {
    std::size_t operator()(const model::Operation& operation) const;
  };
  std::uint32_t rank_;
  Speed speed_;
  double ticks_per_second_;
  const IncomingCommunicators& communicators_;
  IncomingRank result_;
  std::unordered_map<model::Operation, std::uint32_t, OperationHash> numbers_;
  std::unordered_map<Request, Started> started_;
  std::vector<const Region*> stack_;
  std::vector<std::uint64_t> paths_; ///< by depth: the same for the same functions of the program
  std::unordered_map<std::uint64_t, std::uint32_t> sites_;
  std::unordered_map<std::uint16_t, std::uint32_t> site_counts_;
  std::vector<std::uint32_t> to_complete_; ///< begun by the call, which waits for them
  std::optional<Call> call_;
  std::size_t call_depth_ = 0; ///< of the stack, below the call
  std::uint64_t first_ = 0;
  std::uint64_t now_ = 0;
  std::uint64_t left_ = 0;   ///< the last call
  bool any_ = false;         ///< there was an event
  bool initialised_ = false; ///< MPI_Init was entered
  bool begun_ = true;
  bool ended_ = false;
};

} // namespace hypermile::trace
