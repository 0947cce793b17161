#include "runtime/pmpi/observe/observer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <numeric>
#include <utility>

namespace hypermile::runtime::pmpi {
namespace {

using model::Action;
using model::Operation;

int world_size() {
  int ranks = 0;
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

int world_rank() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/// World ranks, in the order of the communicator's.
std::vector<int> members(MPI_Comm comm) {
  int size = 0;
  PMPI_Comm_size(comm, &size);
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<int> world(ranks.size(), -1);
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group all = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &group);
  PMPI_Comm_group(MPI_COMM_WORLD, &all);
  PMPI_Group_translate_ranks(group, size, ranks.data(), all, world.data());
  PMPI_Group_free(&group);
  PMPI_Group_free(&all);
  return world;
}

} // namespace

bool has_class(int error, int error_class) {
  int its = MPI_SUCCESS;
  return error != MPI_SUCCESS && PMPI_Error_class(error, &its) == MPI_SUCCESS && its == error_class;
}

std::uint64_t bytes_of(std::int64_t count, MPI_Datatype type) {
  int size = 0;
  if (count <= 0 || PMPI_Type_size(type, &size) != MPI_SUCCESS || size <= 0)
    return 0;
  return static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(size);
}

Observer::Observer(Seconds begin, const Recorder::Memory& memory, Keep keep)
    : recorder_(begin, memory), keep_(keep) {
  communicators_[MPI_COMM_WORLD] =
      std::make_shared<Communicator>(Communicator::world(world_size()));
  communicators_[MPI_COMM_SELF] = std::make_shared<Communicator>(Communicator::self(world_rank()));
}

bool Observer::open(Function function) {
  if (open_)
    return false;
  function_ = function;
  return open_ = true;
}

void Observer::at(std::uint32_t place, std::uint64_t detail) {
  if (!keeps_calls())
    return recorder_.at(place, 0);
  attempt([&] {
    const auto next = static_cast<std::uint32_t>(details_.size() + 1);
    recorder_.at(place, details_.try_emplace(detail, next).first->second);
  });
}

void Observer::cannot_follow(std::string_view why) {
  if (recorder_.stopped())
    return; // there may be millions of such calls
  try {
    recorder_.stop(fmt::format("MPI_{} cannot be followed: {}", name(function_), why));
  } catch (const std::bad_alloc&) {
    recorder_.stop("out of memory"); // a text that needs none
  }
}

std::shared_ptr<Communicator> Observer::communicator(MPI_Comm comm) {
  const auto known = communicators_.find(comm);
  if (known != communicators_.end())
    return known->second;
  cannot_follow("the making of its communicator was not seen");
  return nullptr;
}

// Messages

std::optional<Observer::Message> Observer::to_send(const Send& send) {
  if (send.to == MPI_PROC_NULL || recorder_.stopped())
    return std::nullopt;
  const auto comm = communicator(send.comm);
  if (!comm)
    return std::nullopt;
  return Message{.operation = {.action = Action::send,
                               .function = function(),
                               .partner = comm->world_rank(send.to),
                               .tag = send.tag,
                               .communicator = comm->number(),
                               .bytes = bytes_of(send.count, send.type)}};
}

std::optional<Observer::Message> Observer::to_receive(const Receive& receive) {
  if (receive.from == MPI_PROC_NULL || recorder_.stopped())
    return std::nullopt;
  auto comm = communicator(receive.comm);
  if (!comm)
    return std::nullopt;
  const Operation operation{.action = Action::receive,
                            .function = function(),
                            .partner = comm->world_rank(receive.from),
                            .tag = receive.tag,
                            .communicator = comm->number(),
                            .bytes = bytes_of(receive.count, receive.type),
                            .from_any = receive.from == MPI_ANY_SOURCE};
  return Message{operation, std::move(comm), receive.tag == MPI_ANY_TAG};
}

/// What was received, by what was asked for and what came.
Operation Observer::resolved(const Message& message, const MPI_Status& status) {
  Operation operation = message.operation;
  if (message.source->has(status.MPI_SOURCE))
    operation.partner = message.source->world_rank(status.MPI_SOURCE);
  if (operation.partner < 0)
    return nothing(operation);
  if (message.any_tag)
    operation.tag = status.MPI_TAG;
  int bytes = 0;
  if (PMPI_Get_count(&status, MPI_BYTE, &bytes) == MPI_SUCCESS && bytes >= 0)
    operation.bytes = static_cast<std::uint64_t>(bytes);
  return operation;
}

std::uint64_t Observer::sent(const Send& send) {
  std::uint64_t event = Recorder::no_event;
  attempt([&] {
    if (const auto message = to_send(send))
      event = recorder_.add(message->operation);
  });
  return event;
}

std::uint64_t Observer::received(const Receive& receive, const MPI_Status& status) {
  std::uint64_t event = Recorder::no_event;
  attempt([&] {
    if (const auto message = to_receive(receive))
      event = recorder_.add(resolved(*message, status));
  });
  return event;
}

void Observer::complete(std::uint64_t started) {
  attempt([&] { recorder_.complete(function(), started); });
}

std::optional<Operation> Observer::found(int from, MPI_Comm comm, const MPI_Status& status) {
  const auto message = to_receive({0, MPI_BYTE, from, MPI_ANY_TAG, comm});
  if (!message)
    return std::nullopt;
  const Operation operation = resolved(*message, status);
  return operation.action == Action::other ? std::nullopt : std::optional(operation);
}

void Observer::probed(int from, MPI_Comm comm, const MPI_Status& status) {
  attempt([&] {
    auto operation = found(from, comm, status);
    if (!operation)
      return;
    operation->action = Action::probe;
    recorder_.add(*operation);
  });
}

void Observer::matched(int from, MPI_Comm comm, const MPI_Status& status, MPI_Message message) {
  attempt([&] {
    probed(from, comm, status);
    if (const auto operation = found(from, comm, status))
      messages_[message] = recorder_.add(*operation);
  });
}

std::uint64_t Observer::take_match(MPI_Message message) {
  const auto known = messages_.extract(message);
  return known ? known.mapped() : Recorder::no_event;
}

// Collective operations

void Observer::arrive(const Communicator* on, std::uint64_t bytes) {
  attempt([&] {
    if (on == nullptr) {
      cannot_follow("the making of what it works on was not seen");
      return;
    }
    complete(recorder_.add({.action = Action::arrive,
                            .shape = model::Shape::all,
                            .function = function(),
                            .members = on->size(),
                            .communicator = on->number(),
                            .bytes = bytes}));
  });
}

std::optional<Operation> Observer::to_arrive(const Arrival& arrival) {
  if (recorder_.stopped())
    return std::nullopt;
  const auto comm = communicator(arrival.comm);
  if (!comm)
    return std::nullopt;
  return Operation{.action = Action::arrive,
                   .shape = arrival.shape,
                   .function = function(),
                   .partner = comm->world_rank(arrival.root),
                   .members = comm->size(),
                   .communicator = comm->number(),
                   .bytes = arrival.bytes,
                   .arguments = arrival.arguments};
}

std::uint32_t Observer::number(const model::Arguments& arguments) {
  std::uint32_t number = 0;
  attempt([&] { number = recorder_.number(arguments); });
  return number;
}

std::uint64_t Observer::add(const Arrival& arrival) {
  const auto operation = to_arrive(arrival);
  return operation ? recorder_.add(*operation) : Recorder::no_event;
}

void Observer::arrive(const Arrival& arrival) {
  attempt([&] { complete(add(arrival)); });
}

void Observer::arrive(const Arrival& arrival, MPI_Request request) {
  attempt([&] {
    const std::uint64_t event = add(arrival);
    if (request == MPI_REQUEST_NULL) // it is over already
      complete(event);
    else
      track(request, {.message = {.operation = {.function = function()}}, .event = event});
  });
}

void Observer::prepare(const Arrival& arrival, MPI_Request request) {
  attempt([&] {
    auto operation = to_arrive(arrival);
    if (!operation)
      return;
    const auto comm = communicator(arrival.comm);
    operation->communicator = comm->child(comm->count_child(), function_, {}).number();
    track(request, {.message = {.operation = *operation}, .persistent = true});
  });
}

// Communicators, windows, files

void Observer::keep_child(MPI_Comm made, const Communicator& parent, std::uint64_t child,
                          Function maker) {
  communicators_[made] = std::make_shared<Communicator>(parent.child(child, maker, members(made)));
}

void Observer::make(MPI_Comm parent, MPI_Comm made) {
  attempt([&] {
    if (recorder_.stopped())
      return;
    const auto comm = communicator(parent);
    if (!comm)
      return;
    const std::uint64_t child = comm->count_child();
    if (made != MPI_COMM_NULL)
      keep_child(made, *comm, child, function_);
  });
}

std::uint32_t Observer::number_of_making(MPI_Comm made) {
  if (!keeps_calls())
    return 0;
  model::Arguments arguments;
  const auto known = made == MPI_COMM_NULL ? communicators_.end() : communicators_.find(made);
  if (known != communicators_.end()) {
    arguments.made = known->second->number();
    for (std::uint32_t rank = 0; rank < known->second->size(); ++rank)
      arguments.members.push_back(
          static_cast<std::uint32_t>(known->second->world_rank(static_cast<int>(rank))));
  }
  return number(arguments);
}

void Observer::make_later(MPI_Comm parent, const MPI_Comm* made, MPI_Request request) {
  attempt([&] {
    const auto known = requests_.find(request);
    if (request == MPI_REQUEST_NULL || known == requests_.end()) {
      make(parent, *made);
      return;
    }
    const auto comm = communicator(parent);
    known->second.makes = made;
    known->second.child = comm->count_child();
    known->second.parent = comm;
  });
}

void Observer::make_by_members(MPI_Comm parent, int tag, MPI_Comm made) {
  attempt([&] {
    if (recorder_.stopped() || made == MPI_COMM_NULL)
      return;
    if (const auto comm = communicator(parent))
      communicators_[made] = std::make_shared<Communicator>(comm->group_child(tag, members(made)));
  });
}

void Observer::make_window(MPI_Comm parent, MPI_Win window) {
  attempt([&] { windows_[window] = communicator(parent); });
}

void Observer::make_file(MPI_Comm parent, MPI_File file) {
  attempt([&] { files_[file] = communicator(parent); });
}

const Communicator* Observer::of_window(MPI_Win window) const {
  const auto known = windows_.find(window);
  return known == windows_.end() ? nullptr : known->second.get();
}

const Communicator* Observer::of_file(MPI_File file) const {
  const auto known = files_.find(file);
  return known == files_.end() ? nullptr : known->second.get();
}

} // namespace hypermile::runtime::pmpi
