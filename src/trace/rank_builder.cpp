#include "trace/rank_builder.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace hypermile::trace {
namespace {

using model::Action;
using model::Event;
using model::Operation;

constexpr std::uint32_t unknown_operation = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t mixing_factor = 0x9e3779b97f4a7c15U;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * mixing_factor;
  return hash ^ (hash >> 32U);
}

std::uint64_t hash_of(const Operation& operation) {
  std::uint64_t hash = mixed(operation.function, static_cast<std::uint64_t>(operation.action));
  for (const std::uint64_t part :
       {static_cast<std::uint64_t>(static_cast<std::uint32_t>(operation.partner)),
        static_cast<std::uint64_t>(static_cast<std::uint32_t>(operation.tag)),
        operation.communicator, operation.bytes, std::uint64_t{operation.site}})
    hash = mixed(hash, part);
  return hash;
}

} // namespace

std::size_t RankBuilder::OperationHash::operator()(const Operation& operation) const {
  return hash_of(operation);
}

RankBuilder::RankBuilder(std::uint32_t rank, Speed speed, double ticks_per_second,
                         const IncomingCommunicators& communicators)
    : rank_(rank), speed_(speed), ticks_per_second_(ticks_per_second),
      communicators_(communicators), paths_{1} {}

void RankBuilder::fail(const std::string& what, const std::string& advice) const {
  throw Error(ErrorKind::config, fmt::format("at {:.9f} s: {}", time(now_ - first_).value(), what),
              advice.empty() ? "a trace that is complete" : advice);
}

Seconds RankBuilder::time(std::uint64_t ticks) const {
  return Seconds{static_cast<double>(ticks) / ticks_per_second_};
}

void RankBuilder::at(std::uint64_t ticks) {
  if (!any_) {
    first_ = left_ = now_ = ticks;
    any_ = true;
  }
  if (ticks < now_)
    fail(fmt::format("the clock goes back by {:.9f} s", time(now_ - ticks).value()),
         "a trace whose clocks were corrected");
  now_ = ticks;
}

/// What was before MPI_Init does not count.
void RankBuilder::begin(std::uint64_t ticks) {
  result_ = {};
  numbers_.clear();
  started_.clear();
  left_ = ticks;
  begun_ = true;
}

std::uint32_t RankBuilder::site_of(const Region& region) {
  const std::uint64_t key = mixed(paths_.back(), region.function);
  const auto [found, is_new] = sites_.try_emplace(key, 0);
  if (is_new)
    found->second = ++site_counts_[region.function];
  return found->second;
}

void RankBuilder::enter(const Region& region) {
  stack_.push_back(&region);
  paths_.push_back(mixed(paths_.back(), std::hash<std::string>{}(region.name)));
  if (region.kind == Region::Kind::init) {
    if (call_ || initialised_)
      fail(fmt::format("{} is called again, or by another function of MPI", region.name));
    initialised_ = true;
    begun_ = false;
  }
  if (call_ || region.kind == Region::Kind::program)
    return;
  if (region.kind == Region::Kind::finalize && !ignored()) {
    result_.timeline.computation_after = time(now_ - left_);
    ended_ = true;
  }
  if (ignored())
    return;
  if (region.kind == Region::Kind::one_sided)
    fail(fmt::format("{} is one-sided communication, which cannot be followed", region.name),
         "a program that sends and receives");
  paths_.pop_back();
  call_ = Call{.region = &region,
               .entered = now_,
               .first = result_.timeline.events.size(),
               .collectives = result_.collectives.size(),
               .site = site_of(region)};
  paths_.push_back(paths_.back());
  call_depth_ = stack_.size() - 1;
}

void RankBuilder::leave(const Region& region) {
  if (stack_.empty() || stack_.back() != &region)
    fail(fmt::format("{} is left, which was not entered last", region.name));
  stack_.pop_back();
  paths_.pop_back();
  if (call_ && stack_.size() == call_depth_)
    finish_call();
  if (region.kind == Region::Kind::init && !ended_)
    begin(now_);
}

void RankBuilder::finish_call() {
  for (const std::uint32_t started : std::exchange(to_complete_, {}))
    complete(started);
  auto& events = result_.timeline.events;
  if (call_->region->is_collective && result_.collectives.size() == call_->collectives)
    fail(fmt::format("the trace does not tell of the collective operation in {}",
                     call_->region->name),
         "a trace with the collective operations of MPI");
  if (events.size() == call_->first)
    add(operation(Action::other));
  const Seconds computed = time(call_->entered - left_);
  events[call_->first].computation = static_cast<float>(computed.value());
  result_.timeline.work.emplace_back(std::round((computed * speed_).value()));
  events.back().ends_call = 1;
  events.back().duration = static_cast<float>(time(now_ - call_->entered).value());
  left_ = now_;
  call_.reset();
}

void RankBuilder::check_in_call(const char* what) const {
  if (!call_)
    fail(
        fmt::format("{} is outside of any MPI function, so nobody knows when the call began", what),
        "a trace that has the functions of MPI, too");
}

Operation RankBuilder::operation(Action action) const {
  Operation made;
  made.action = action;
  made.function = call_->region->function;
  made.site = call_->site;
  return made;
}

void RankBuilder::use(std::uint64_t communicator) {
  const auto found = communicators_.find(communicator);
  if (found == communicators_.end())
    fail(fmt::format("communicator {} is not defined", communicator));
  if (found->second.is_intercommunicator)
    fail(fmt::format("{} is an inter-communicator", found->second.name),
         "a program without inter-communicators: they cannot be followed");
  const auto event = static_cast<std::uint32_t>(result_.timeline.events.size());
  result_.first_use.try_emplace(communicator, event);
}

/// The communicator has the trace's number until all ranks are there.
Operation RankBuilder::message_operation(Action action, const Message& message) {
  use(message.communicator);
  const IncomingCommunicator& known = communicators_.at(message.communicator);
  Operation made = operation(action);
  if (known.is_self)
    made.partner = static_cast<std::int32_t>(rank_);
  else if (message.partner < known.members.size())
    made.partner = static_cast<std::int32_t>(known.members[message.partner]);
  else
    fail(fmt::format("rank {} of communicator {} does not exist", message.partner, known.name));
  made.communicator = message.communicator;
  made.tag = static_cast<std::int32_t>(message.tag);
  made.bytes = message.bytes;
  made.detail = static_cast<std::uint32_t>(hash_of(made)) | 1U;
  return made;
}

std::uint32_t RankBuilder::number(const Operation& operation) {
  const auto next = static_cast<std::uint32_t>(result_.timeline.operations.size());
  const auto [found, is_new] = numbers_.try_emplace(operation, next);
  if (is_new)
    result_.timeline.operations.push_back(operation);
  return found->second;
}

std::uint32_t RankBuilder::add(const Operation& operation) {
  auto& events = result_.timeline.events;
  Event event;
  event.operation = number(operation);
  events.push_back(event);
  return static_cast<std::uint32_t>(events.size() - 1);
}

void RankBuilder::complete(std::uint32_t started) {
  const std::uint32_t event = add(operation(Action::complete));
  result_.timeline.events[event].started = (event - started) & 0x7fffffffU;
}

RankBuilder::Started RankBuilder::take(Request request, Started::What what) {
  const auto found = started_.find(request);
  if (found == started_.end() || found->second.what != what)
    fail(fmt::format("request {} is completed, which was not begun", request));
  Started taken = std::move(found->second);
  started_.erase(found);
  return taken;
}

void RankBuilder::send(const Message& message) {
  if (ignored())
    return;
  check_in_call("a message that is sent");
  to_complete_.push_back(add(message_operation(Action::send, message)));
}

void RankBuilder::start_send(const Message& message, Request request) {
  if (ignored())
    return;
  check_in_call("a message that is sent");
  const std::uint32_t event = add(message_operation(Action::send, message));
  started_[request] = {.event = event, .operation = {}, .what = Started::What::send, .place = 0};
}

void RankBuilder::end_send(Request request) {
  if (ignored())
    return;
  check_in_call("the end of a send");
  complete(take(request, Started::What::send).event);
}

void RankBuilder::receive(const Message& message) {
  if (ignored())
    return;
  check_in_call("a message that is received");
  to_complete_.push_back(add(message_operation(Action::receive, message)));
}

void RankBuilder::start_receive(Request request) {
  if (ignored())
    return;
  check_in_call("a receive");
  const std::uint32_t event = add(operation(Action::receive));
  result_.timeline.events[event].operation = unknown_operation;
  started_[request] = {.event = event,
                       .operation = operation(Action::receive),
                       .what = Started::What::receive,
                       .place = 0};
}

/// Only now it is known what was received.
void RankBuilder::end_receive(const Message& message, Request request) {
  if (ignored())
    return;
  check_in_call("a message that is received");
  const Started begun = take(request, Started::What::receive);
  Operation received = message_operation(Action::receive, message);
  received.function = begun.operation.function;
  received.site = begun.operation.site;
  result_.timeline.events[begun.event].operation = number(received);
  result_.first_use[message.communicator] =
      std::min(result_.first_use[message.communicator], begun.event);
  complete(begun.event);
}

void RankBuilder::cancel(Request request) {
  if (ignored())
    return;
  const auto found = started_.find(request);
  if (found == started_.end())
    fail(fmt::format("request {} is cancelled, which was not begun", request));
  fail("a request is cancelled", "a program without MPI_Cancel: it cannot be followed");
}

void RankBuilder::collective(IncomingCollective collective) {
  if (ignored())
    return;
  check_in_call("a collective operation");
  use(collective.communicator);
  collective.event = add(operation(Action::arrive));
  result_.collectives.push_back(collective);
  to_complete_.push_back(collective.event);
}

void RankBuilder::start_collective(Request request) {
  if (ignored())
    return;
  check_in_call("a collective operation");
  const std::uint32_t event = add(operation(Action::arrive));
  started_[request] = {.event = event,
                       .operation = {},
                       .what = Started::What::collective,
                       .place = result_.collectives.size()};
  IncomingCollective begun;
  begun.event = event;
  begun.communicator = unknown_operation; // until it ends
  result_.collectives.push_back(begun);
}

void RankBuilder::end_collective(IncomingCollective collective, Request request) {
  if (ignored())
    return;
  check_in_call("the end of a collective operation");
  const Started begun = take(request, Started::What::collective);
  collective.event = begun.event;
  use(collective.communicator);
  result_.first_use[collective.communicator] =
      std::min(result_.first_use[collective.communicator], collective.event);
  result_.collectives[begun.place] = collective;
  complete(collective.event);
}

IncomingRank RankBuilder::finish() {
  if (!begun_)
    fail("the trace ends in MPI_Init");
  if (!stack_.empty())
    fail(fmt::format("the trace ends in {}", stack_.back()->name));
  for (const auto& [request, begun] : started_)
    if (begun.what != Started::What::send)
      fail(fmt::format("the trace ends before request {} is completed, which begins a {}", request,
                       begun.what == Started::What::receive ? "receive" : "collective operation"));
  if (!ended_)
    result_.timeline.computation_after = time(now_ - left_);
  result_.timeline.work.emplace_back(
      std::round((result_.timeline.computation_after * speed_).value()));
  return std::move(result_);
}

} // namespace hypermile::trace
