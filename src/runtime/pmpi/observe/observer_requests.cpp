#include "runtime/pmpi/observe/observer.hpp"

#include <utility>

// What the observer does about requests.

namespace hypermile::runtime::pmpi {

using model::Action;

void Observer::track(MPI_Request handle, Request request) {
  if (handle != MPI_REQUEST_NULL && (request.event != Recorder::no_event || request.persistent))
    requests_.insert_or_assign(handle, std::move(request));
}

void Observer::begin_send(MPI_Request request, const Send& send, Buffered buffered) {
  attempt([&] {
    if (auto message = to_send(send)) {
      const std::uint64_t event = recorder_.add(message->operation);
      track(request,
            {.message = std::move(*message), .event = event, .waits = buffered == Buffered::no});
    }
  });
}

void Observer::begin_receive(MPI_Request request, const Receive& receive) {
  attempt([&] {
    if (auto message = to_receive(receive)) {
      const std::uint64_t event = recorder_.add(nothing(message->operation));
      track(request, {.message = std::move(*message), .event = event});
    }
  });
}

void Observer::begin_exchange(MPI_Request request, const Send& send, const Receive& receive) {
  if (receive.from == MPI_PROC_NULL) {
    begin_send(request, send, Buffered::no);
    return;
  }
  begin_receive(request, receive);
  attempt([&] {
    const auto known = requests_.find(request);
    if (known != requests_.end())
      known->second.sent = sent(send);
  });
}

void Observer::begin_match(MPI_Request request, std::uint64_t event) {
  attempt([&] { track(request, {.message = {}, .event = event}); });
}

void Observer::prepare_send(MPI_Request request, const Send& send, Buffered buffered) {
  attempt([&] {
    track(request, {.message = to_send(send).value_or(Message{}),
                    .waits = buffered == Buffered::no,
                    .persistent = true});
  });
}

void Observer::prepare_receive(MPI_Request request, const Receive& receive) {
  attempt([&] {
    track(request, {.message = to_receive(receive).value_or(Message{}), .persistent = true});
  });
}

void Observer::start(MPI_Request request) {
  attempt([&] {
    const auto known = requests_.find(request);
    if (known == requests_.end()) {
      cannot_follow("the function that prepared its request is not watched");
      return;
    }
    const Message& message = known->second.message;
    if (message.operation.action == Action::other) // to or from MPI_PROC_NULL
      return;
    const bool open = message.source != nullptr;
    known->second.event = recorder_.add(open ? nothing(message.operation) : message.operation);
  });
}

void Observer::cancel(MPI_Request request) {
  const auto known = requests_.find(request);
  if (known != requests_.end())
    known->second.cancelled = true;
}

/// An active receive that is freed may still get its message, and nobody hears of it. One that
/// was cancelled before is taken to get none.
void Observer::free(MPI_Request request) {
  attempt([&] {
    const auto known = requests_.find(request);
    if (known == requests_.end())
      return;
    if (known->second.event == Recorder::no_event) {
      requests_.erase(known);
      return;
    }
    const Message& message = known->second.message;
    const bool is_receive = message.source != nullptr;
    const bool cancelled = known->second.cancelled;
    if (is_receive && !cancelled && (message.operation.partner < 0 || message.any_tag))
      cannot_follow("it is not known what the receive will get");
    else if (is_receive && !cancelled)
      recorder_.amend(known->second.event, message.operation);
    else if (cancelled && !is_receive)
      cannot_follow("it is not known whether the send was cancelled");
    requests_.erase(known);
  });
}

bool Observer::needs_status(MPI_Request request) const {
  const auto known = requests_.find(request);
  return known != requests_.end() && known->second.event != Recorder::no_event &&
         (known->second.message.source || known->second.cancelled);
}

void Observer::finish(MPI_Request request, const MPI_Status& status, int error) {
  attempt([&] {
    const auto known = requests_.find(request);
    if (known == requests_.end() || known->second.event == Recorder::no_event)
      return;
    settle(known->second, status, error);
    known->second.event = Recorder::no_event;
    known->second.cancelled = false;
    if (!known->second.persistent)
      requests_.erase(known);
  });
}

void Observer::settle(Request& request, const MPI_Status& status, int error) {
  int cancelled = 0;
  if (request.cancelled)
    PMPI_Test_cancelled(&status, &cancelled);
  if (cancelled != 0 || !has_come(error)) {
    recorder_.amend(request.event, nothing(request.message.operation));
    return;
  }
  if (request.message.source)
    recorder_.amend(request.event, resolved(request.message, status));
  if (request.waits)
    complete(request.event);
  complete(request.sent);
  if (request.makes != nullptr)
    keep_child(*request.makes, *request.parent, request.child, Function::Comm_idup);
}

} // namespace hypermile::runtime::pmpi
