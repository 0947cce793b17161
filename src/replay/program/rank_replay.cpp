#include "replay/program/rank_replay.hpp"

#include "runtime/pmpi/functions.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <smpi/smpi.h>

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <vector>

extern "C" {
int smpi_nanosleep(const struct timespec* wanted, struct timespec* left);
int smpi_usleep(useconds_t microseconds);
}

namespace hypermile::replay {
namespace {

using model::Action;
using model::Operation;

int count_of(const Operation& message) {
  if (message.bytes > static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
    throw Error(ErrorKind::config, "a message has 2 GiB or more",
                "a recording of a smaller problem");
  return static_cast<int>(message.bytes);
}

/// Those that return when the receiver has begun to receive.
bool is_synchronous(const std::string& function) {
  return function.starts_with("Ssend") || function.starts_with("Issend");
}

/// Of the functions with these names. Throws Error{config} for one that there is not.
std::vector<std::uint16_t> numbers_of(const std::vector<std::string>& functions) {
  std::vector<std::uint16_t> numbers;
  for (const std::string& function : functions) {
    const auto known = runtime::pmpi::function_named(function);
    if (!known)
      throw Error(ErrorKind::config,
                  fmt::format("the recording has calls of MPI_{}, which is not known", function),
                  "the version of hypermile that recorded it");
    numbers.push_back(static_cast<std::uint16_t>(*known));
  }
  return numbers;
}

} // namespace

Hooks find_hooks() {
  const auto find = [](const char* name) { return dlsym(RTLD_DEFAULT, name); };
  return {.call_as = reinterpret_cast<void (*)(std::uint16_t, const void*, std::uint64_t)>(
              find("hypermile_on_call_as")),
          .on_iteration = reinterpret_cast<void (*)()>(find("hypermile_on_iteration")),
          .on_computation = reinterpret_cast<void (*)(double)>(find("hypermile_on_computation"))};
}

RankReplay::RankReplay(const RecordedRun& run, int rank, Buffers buffers, Hooks hooks)
    : run_(run), timeline_(run.timeline.ranks.at(static_cast<std::size_t>(rank))),
      buffers_(buffers), hooks_(hooks), numbers_(numbers_of(run.timeline.functions)),
      communicators_(rank, static_cast<int>(run.timeline.ranks.size())), collectives_(buffers) {}

void RankReplay::play() {
  Call call{0, 0};
  auto work = timeline_.work.begin();
  while (call.end < timeline_.events.size()) {
    call.first = call.end;
    while (timeline_.events[call.end++].ends_call == 0)
      if (call.end == timeline_.events.size())
        break;
    compute(*work++);
    if (hooks_.call_as != nullptr)
      hooks_.call_as(numbers_[operation(call.first).function],
                     reinterpret_cast<const void*>(std::uintptr_t{operation(call.first).site}),
                     operation(call.first).detail);
    make(call);
  }
  leave_rest();
  compute(*work);
}

/// It takes as long as it does on the node and in the gear at hand.
void RankReplay::compute(Work work) const {
  if (hooks_.on_computation != nullptr)
    hooks_.on_computation(work.value());
  else if (work > Work{})
    smpi_execute_flops_benched(work.value());
}

void RankReplay::make(const Call& call) {
  if (make_as_one(call))
    return;
  bool waits = false;
  for (std::size_t event = call.first; event < call.end; ++event) {
    waits = waits || operation(event).action == Action::complete;
    begin(event);
  }
  if (waits)
    wait(call);
}

/// Where MPI's algorithm or its protocol depend on it: by the function that the program called.
bool RankReplay::make_as_one(const Call& call) {
  const Operation& first = operation(call.first);
  const std::string& name = function(first);
  const bool waits_for_itself = call.end == call.first + 2 &&
                                operation(call.first + 1).action == Action::complete &&
                                timeline_.events[call.first + 1].started == 1;
  if (name == "Iteration") {
    if (hooks_.on_iteration != nullptr)
      hooks_.on_iteration();
  } else if (name == "Wtime") {
    (void)MPI_Wtime();
  } else if (name == "Sleep") {
    sleep(call);
  } else if (call.end == call.first + 1 && first.action == Action::other) {
    do_nothing(name);
  } else if (name.starts_with("Sendrecv")) {
    exchange(call);
  } else if (waits_for_itself && first.action == Action::send) {
    send(first, nullptr);
  } else if (waits_for_itself && first.action == Action::receive) {
    receive(first, nullptr);
  } else if (waits_for_itself && first.action == Action::arrive) {
    arrive(first, nullptr);
  } else {
    return false;
  }
  return true;
}

void RankReplay::exchange(const Call& call) {
  const Operation* out = nullptr;
  const Operation* in = nullptr;
  for (std::size_t event = call.first; event < call.end; ++event) {
    const Operation& part = operation(event);
    if (part.action == Action::send)
      out = &part;
    if (part.action == Action::receive)
      in = &part;
  }
  if (out == nullptr && in == nullptr)
    return;
  const auto& comm = communicators_.at(out != nullptr ? out->communicator : in->communicator);
  const auto rank = [&](const Operation* part) {
    return part == nullptr ? MPI_PROC_NULL
                           : comm.rank_of.at(static_cast<std::size_t>(part->partner));
  };
  const auto count = [](const Operation* part) { return part == nullptr ? 0 : count_of(*part); };
  const auto tag = [](const Operation* part) { return part == nullptr ? 0 : part->tag; };
  MPI_Sendrecv(buffers_.out, count(out), MPI_BYTE, rank(out), tag(out), buffers_.in, count(in),
               MPI_BYTE, rank(in), tag(in), comm.handle, MPI_STATUS_IGNORE);
}

void RankReplay::send(const Operation& send, MPI_Request* request) const {
  const auto& comm = communicators_.at(send.communicator);
  const int to = comm.rank_of.at(static_cast<std::size_t>(send.partner));
  const bool synchronous = is_synchronous(function(send));
  if (request != nullptr)
    (synchronous ? MPI_Issend : MPI_Isend)(buffers_.out, count_of(send), MPI_BYTE, to, send.tag,
                                           comm.handle, request);
  else
    (synchronous ? MPI_Ssend : MPI_Send)(buffers_.out, count_of(send), MPI_BYTE, to, send.tag,
                                         comm.handle);
}

void RankReplay::receive(const Operation& receive, MPI_Request* request) const {
  const auto& comm = communicators_.at(receive.communicator);
  const int from = comm.rank_of.at(static_cast<std::size_t>(receive.partner));
  if (request != nullptr)
    MPI_Irecv(buffers_.in, count_of(receive), MPI_BYTE, from, receive.tag, comm.handle, request);
  else
    MPI_Recv(buffers_.in, count_of(receive), MPI_BYTE, from, receive.tag, comm.handle,
             MPI_STATUS_IGNORE);
}

void RankReplay::probe(const Operation& probe) const {
  const auto& comm = communicators_.at(probe.communicator);
  MPI_Probe(comm.rank_of.at(static_cast<std::size_t>(probe.partner)), probe.tag, comm.handle,
            MPI_STATUS_IGNORE);
}

void RankReplay::arrive(const Operation& arrival, MPI_Request* request) {
  static const model::Arguments none; // of what is a barrier here
  const auto& arguments =
      arrival.arguments == 0 ? none : timeline_.arguments.at(arrival.arguments - 1);
  const bool makes = arguments.made != 0 && arguments.made == arrival.communicator;
  if (makes && !communicators_.has(arrival.communicator))
    return communicators_.make_by_members(arguments);
  const auto& comm = communicators_.at(arrival.communicator);
  const std::string& name = function(arrival);
  if (name.starts_with("Comm_") || name.starts_with("Cart_") || name.starts_with("Graph_") ||
      name.starts_with("Dist_graph_"))
    return communicators_.make(comm, name, arguments);
  static const std::string barrier = "Barrier";
  const int root =
      arrival.partner < 0 ? 0 : comm.rank_of.at(static_cast<std::size_t>(arrival.partner));
  collectives_.make({.function = arrival.arguments == 0 ? barrier : name,
                     .number = arrival.arguments,
                     .arguments = arguments,
                     .comm = comm.handle,
                     .root = root},
                    request);
}

/// What does not wait yet.
void RankReplay::begin(std::size_t event) {
  const Operation& begun = operation(event);
  MPI_Request request = MPI_REQUEST_NULL;
  switch (begun.action) {
  case Action::send:
    send(begun, &request);
    break;
  case Action::receive:
    receive(begun, &request);
    break;
  case Action::arrive:
    arrive(begun, &request);
    break;
  case Action::probe:
    return probe(begun);
  case Action::complete:
  case Action::other: // a question whether something has come: who asks in vain waits later
    return;
  }
  requests_[event] = request;
}

void RankReplay::wait(const Call& call) {
  std::vector<MPI_Request> requests;
  for (std::size_t event = call.first; event < call.end; ++event)
    if (operation(event).action == Action::complete)
      if (const auto begun = requests_.extract(event - timeline_.events[event].started))
        requests.push_back(begun.mapped());
  if (requests.size() == 1)
    MPI_Wait(requests.data(), MPI_STATUS_IGNORE);
  else if (!requests.empty())
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

void RankReplay::sleep(const Call& call) const {
  const auto duration = static_cast<double>(timeline_.events[call.end - 1].duration);
  const double whole = std::floor(duration);
  const timespec wanted{static_cast<time_t>(whole), static_cast<long>((duration - whole) * 1e9)};
  smpi_nanosleep(&wanted, nullptr);
}

/// A call that moved no message, and is a part of what repeats all the same: with MPI_PROC_NULL, or
/// of requests that are none.
void RankReplay::do_nothing(const std::string& function) const {
  MPI_Request request = MPI_REQUEST_NULL;
  if (function.starts_with("Sendrecv"))
    MPI_Sendrecv(buffers_.out, 0, MPI_BYTE, MPI_PROC_NULL, 0, buffers_.in, 0, MPI_BYTE,
                 MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else if (function == "Irecv")
    MPI_Irecv(buffers_.in, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
  else if (function == "Recv")
    MPI_Recv(buffers_.in, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else if (function == "Isend" || function == "Issend" || function == "Ibsend")
    MPI_Isend(buffers_.out, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
  else if (function.ends_with("send") || function == "Send")
    MPI_Send(buffers_.out, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  else if (function.starts_with("Wait"))
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  else if (!function.starts_with("Test") && !function.ends_with("probe"))
    smpi_usleep(0); // something to do between two computations
  if (request != MPI_REQUEST_NULL)
    PMPI_Wait(&request, MPI_STATUS_IGNORE);
}

/// What the program has started and never waited for.
void RankReplay::leave_rest() {
  for (auto& [event, request] : requests_)
    if (request != MPI_REQUEST_NULL)
      PMPI_Request_free(&request);
  requests_.clear();
}

} // namespace hypermile::replay
