#pragma once

#include "runtime/pmpi/functions.hpp"
#include "runtime/pmpi/observe/communicator.hpp"
#include "runtime/record/recorder.hpp"

#include <mpi.h>

#include <exception>
#include <memory>
#include <memory_resource>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hypermile::runtime::pmpi {

/// Says in the terms of model::Timeline what one rank's MPI calls mean: which message, which
/// collective operation, which earlier call a completion belongs to. Sends no message of its own.
/// What it is told about each function is in observed_*.hpp.
///
/// Nothing that fails in here reaches the program, on whose calls it would have no bearing: what
/// cannot be kept ends the recording, as cannot_follow() does.
///
/// Events are known by the numbers that Recorder::add() gives them; Recorder::no_event stands for
/// what is none, such as a message to MPI_PROC_NULL, and may be passed on.
class Observer {
public:
  /// Of each call, what tells who waits for whom; or all that it takes to make the call again.
  enum class Keep : bool { dependencies, calls };
  /// As Recorder. MPI must be initialised.
  Observer(Seconds begin, const Recorder::Memory& memory, Keep keep = Keep::dependencies);

  /// The program, or the Fortran binding of what it called, enters a C function of MPI. False:
  /// MPI called it of itself, in a function that is observed already.
  bool open(Function function);
  void close() { open_ = false; }
  /// The program calls from this place, counted from 1 for each function; `detail`: hash of the
  /// arguments that are numbers.
  void at(std::uint32_t place, std::uint64_t detail);
  [[nodiscard]] bool keeps_calls() const { return keep_ == Keep::calls; }
  [[nodiscard]] Recorder& recorder() { return recorder_; }
  [[nodiscard]] const Recorder& recorder() const { return recorder_; }
  /// What the function does cannot be told: nothing more is recorded.
  void cannot_follow(std::string_view why);
  /// Does something that is needed to follow the call under way.
  template <class Doing> void attempt(const Doing& doing) {
    try {
      doing();
    } catch (const std::exception& error) {
      cannot_follow(error.what());
    }
  }

  // Messages, for a call that has succeeded.

  struct Send {
    std::int64_t count;
    MPI_Datatype type;
    int to;
    int tag;
    MPI_Comm comm;
  };
  /// Where from and which may be left open: MPI_ANY_SOURCE, MPI_ANY_TAG.
  struct Receive {
    std::int64_t count;
    MPI_Datatype type;
    int from;
    int tag;
    MPI_Comm comm;
  };
  std::uint64_t sent(const Send& send);
  std::uint64_t received(const Receive& receive, const MPI_Status& status);
  /// The call completes what event `started` began.
  void complete(std::uint64_t started);
  /// A message was found that is still to be received.
  void probed(int from, MPI_Comm comm, const MPI_Status& status);
  /// ... by nobody but the owner of `message`: its receive counts as posted here.
  void matched(int from, MPI_Comm comm, const MPI_Status& status, MPI_Message message);
  /// The receive of such a message; the handle as it was before the call that receives it.
  std::uint64_t take_match(MPI_Message message);

  // Requests; the handles as they were before MPI may have changed them.

  enum class Buffered : bool { no, yes }; ///< yes: the completion waits for nobody
  void begin_send(MPI_Request request, const Send& send, Buffered buffered);
  void begin_receive(MPI_Request request, const Receive& receive);
  /// Both, with one completion.
  void begin_exchange(MPI_Request request, const Send& send, const Receive& receive);
  /// A receive whose message is known already.
  void begin_match(MPI_Request request, std::uint64_t event);
  void prepare_send(MPI_Request request, const Send& send, Buffered buffered);
  void prepare_receive(MPI_Request request, const Receive& receive);
  void start(MPI_Request request);
  void cancel(MPI_Request request);
  void free(MPI_Request request);
  /// True if MPI's status is needed to know what the request did.
  [[nodiscard]] bool needs_status(MPI_Request request) const;
  /// It is over: complete, or failed with this error.
  void finish(MPI_Request request, const MPI_Status& status, int error);

  // Collective operations.

  struct Arrival {
    model::Shape shape;
    MPI_Comm comm;
    int root; ///< in `comm`; -1: none
    std::uint64_t bytes;
    std::uint32_t arguments = 0; ///< as number() returned it; 0: nobody asked
  };
  void arrive(const Arrival& arrival);
  /// Of the arguments of a call that is kept.
  std::uint32_t number(const model::Arguments& arguments);
  void arrive(const Arrival& arrival, MPI_Request request);
  /// A persistent operation, for start(). Members may start those of a communicator in different
  /// orders, so each has a number of its own, as if it had a communicator to itself.
  void prepare(const Arrival& arrival, MPI_Request request);
  /// The same on a window or a file, whose communicator is known since it was made.
  void arrive(const Communicator* on, std::uint64_t bytes);

  // Communicators, windows, files.

  /// A collective function on `parent` made `made`; MPI_COMM_NULL: not for this rank.
  void make(MPI_Comm parent, MPI_Comm made);
  /// number() of a call that made this communicator, which is known by now.
  std::uint32_t number_of_making(MPI_Comm made);
  /// The same once the request is complete.
  void make_later(MPI_Comm parent, const MPI_Comm* made, MPI_Request request);
  /// A function that only the members of the new communicator call.
  void make_by_members(MPI_Comm parent, int tag, MPI_Comm made);
  void forget(MPI_Comm comm) { communicators_.erase(comm); }
  void make_window(MPI_Comm parent, MPI_Win window);
  [[nodiscard]] const Communicator* of_window(MPI_Win window) const;
  void make_file(MPI_Comm parent, MPI_File file);
  [[nodiscard]] const Communicator* of_file(MPI_File file) const;

private:
  /// A message as it was asked for, and how to understand a status: those of receives only.
  struct Message {
    model::Operation operation;
    std::shared_ptr<const Communicator> source = nullptr;
    bool any_tag = false;
  };
  struct Request {
    Message message;
    std::uint64_t event = Recorder::no_event; ///< its begin; no_event: it is not active
    std::uint64_t sent = Recorder::no_event;  ///< the send of an exchange
    bool waits = true;                        ///< its completion may wait for others
    bool persistent = false;
    bool cancelled = false;
    const MPI_Comm* makes = nullptr; ///< by MPI_Comm_idup, as `child` of `parent`
    std::shared_ptr<const Communicator> parent = nullptr;
    std::uint64_t child = 0;
  };

  [[nodiscard]] std::uint16_t function() const { return static_cast<std::uint16_t>(function_); }
  /// Null, and nothing more is recorded, where it cannot be followed.
  std::shared_ptr<Communicator> communicator(MPI_Comm comm);
  /// `made` is the child of this number of `parent`.
  void keep_child(MPI_Comm made, const Communicator& parent, std::uint64_t child, Function maker);
  std::optional<Message> to_send(const Send& send);
  std::optional<Message> to_receive(const Receive& receive);
  static model::Operation resolved(const Message& message, const MPI_Status& status);
  std::optional<model::Operation> found(int from, MPI_Comm comm, const MPI_Status& status);
  void track(MPI_Request handle, Request request);
  std::optional<model::Operation> to_arrive(const Arrival& arrival);
  std::uint64_t add(const Arrival& arrival);
  void settle(Request& request, const MPI_Status& status, int error);

  Recorder recorder_;
  Keep keep_;
  std::unordered_map<std::uint64_t, std::uint32_t> details_; ///< numbers, from 1 on
  Function function_ = Function::Init;
  bool open_ = false;
  // For nodes of one size that come and go with every message.
  std::pmr::unsynchronized_pool_resource memory_;
  std::pmr::unordered_map<MPI_Request, Request> requests_{&memory_};
  std::unordered_map<MPI_Message, std::uint64_t> messages_; ///< matched: event of their receive
  std::unordered_map<MPI_Comm, std::shared_ptr<Communicator>> communicators_;
  std::unordered_map<MPI_Win, std::shared_ptr<Communicator>> windows_;
  std::unordered_map<MPI_File, std::shared_ptr<Communicator>> files_;
};

/// Stands for an operation that moves nothing: the event keeps its function alone.
inline model::Operation nothing(const model::Operation& operation) {
  return {.function = operation.function};
}

/// What kind of an error MPI returned.
bool has_class(int error, int error_class);
/// A receive got its message, be it cut off.
inline bool has_come(int error) {
  return error == MPI_SUCCESS || has_class(error, MPI_ERR_TRUNCATE);
}

/// Bytes of so many of this type.
std::uint64_t bytes_of(std::int64_t count, MPI_Datatype type);

} // namespace hypermile::runtime::pmpi
