#include "application/rank_calls.hpp"

#include "runtime/record/mixed.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace hypermile::application {
namespace {

using model::Action;
using model::Operation;
using model::Shape;

constexpr std::array mpi_names{"Send",    "Recv",     "Sendrecv",  "Isend",    "Irecv",
                               "Waitall", "Barrier",  "Bcast",     "Reduce",   "Allreduce",
                               "Gather",  "Scatter",  "Allgather", "Alltoall", "Comm_create_group",
                               "Sleep",   "Iteration"};
constexpr std::array words{"send",      "recv",     "exchange", "isend",     "irecv",  "wait",
                           "barrier",   "bcast",    "reduce",   "allreduce", "gather", "scatter",
                           "allgather", "alltoall", "group",    "sleep",     "loop"};
static_assert(words.size() == mpi_names.size());

Shape shape_of(Function function) {
  switch (function) {
  case Function::Bcast:
  case Function::Scatter:
    return Shape::from_root;
  case Function::Reduce:
  case Function::Gather:
    return Shape::to_root;
  default:
    return Shape::all;
  }
}

/// What the rank contributes, as Operation::bytes has it.
std::uint64_t contributed(Function function, const Group& group, bool is_root,
                          std::uint64_t bytes) {
  switch (function) {
  case Function::Bcast:
    return is_root ? bytes : 0;
  case Function::Scatter:
    return is_root ? bytes * group.size : 0;
  case Function::Alltoall:
    return bytes * group.size;
  default:
    return bytes;
  }
}

/// As MPI's function gets them, in elements of a byte.
model::Arguments arguments_of(Function function, bool is_root, std::uint64_t bytes) {
  const model::Arguments::Blocks part{1, {bytes}};
  model::Arguments arguments;
  if (function == Function::Barrier)
    return arguments;
  if (function != Function::Scatter || is_root)
    arguments.out = part;
  const bool receives = function == Function::Allgather || function == Function::Alltoall ||
                        function == Function::Scatter;
  if (receives || (function == Function::Gather && is_root))
    arguments.in = part;
  return arguments;
}

std::uint64_t hash_of(const Operation& o) {
  std::uint64_t hash = 0;
  for (const std::uint64_t part :
       {std::uint64_t{o.site}, std::uint64_t{static_cast<std::uint8_t>(o.action)},
        std::uint64_t{o.function}, std::uint64_t{static_cast<std::uint32_t>(o.partner)},
        std::uint64_t{static_cast<std::uint32_t>(o.tag)}, o.communicator, o.bytes,
        std::uint64_t{o.arguments}})
    hash = runtime::mixed(hash, part);
  return hash;
}

std::uint16_t index_of(Function function) { return static_cast<std::uint16_t>(function); }

} // namespace

std::vector<std::string> function_names() { return {mpi_names.begin(), mpi_names.end()}; }

const char* word_for(Function function) { return words[index_of(function)]; }

/// Operations that repeat are kept once. What a call says besides its place is its `detail`.
std::size_t RankCalls::add(const Operation& asked) {
  Operation operation = asked;
  const std::uint64_t hash = hash_of(operation);
  operation.detail = static_cast<std::uint32_t>(hash);
  std::vector<std::uint32_t>& same = known_[hash];
  const auto found =
      std::ranges::find_if(same, [&](std::uint32_t i) { return rank_.operations[i] == operation; });
  const std::uint32_t index =
      found == same.end() ? static_cast<std::uint32_t>(rank_.operations.size()) : *found;
  if (found == same.end()) {
    same.push_back(index);
    rank_.operations.push_back(operation);
  }
  if (!in_call_)
    take_work();
  in_call_ = true;
  rank_.events.push_back({.operation = index});
  return rank_.events.size() - 1;
}

void RankCalls::take_work() {
  const double whole = std::round(work_);
  rank_.work.emplace_back(whole);
  work_ -= whole;
}

void RankCalls::end_call() {
  rank_.events.back().ends_call = 1;
  in_call_ = false;
}

void RankCalls::complete(std::size_t started, Function function, std::uint32_t line) {
  const std::size_t event =
      add({.action = Action::complete, .function = index_of(function), .site = line});
  rank_.events[event].started = static_cast<std::uint32_t>(event - started) & 0x7fffffffU;
}

std::size_t RankCalls::start(Action action, Function function, const Side& side,
                             std::uint32_t line) {
  return add({.action = action,
              .function = index_of(function),
              .partner = static_cast<std::int32_t>(side.partner),
              .tag = side.tag,
              .communicator = world_,
              .bytes = side.bytes,
              .site = line});
}

void RankCalls::send(const Side& to, std::uint32_t line) {
  complete(start(Action::send, Function::Send, to, line), Function::Send, line);
  end_call();
}

void RankCalls::receive(const Side& from, std::uint32_t line) {
  complete(start(Action::receive, Function::Recv, from, line), Function::Recv, line);
  end_call();
}

void RankCalls::exchange(const Side& to, const Side& from, std::uint32_t line) {
  const std::size_t in = start(Action::receive, Function::Sendrecv, from, line);
  const std::size_t out = start(Action::send, Function::Sendrecv, to, line);
  complete(in, Function::Sendrecv, line);
  complete(out, Function::Sendrecv, line);
  end_call();
}

std::size_t RankCalls::start_send(const Side& to, std::uint32_t line) {
  const std::size_t event = start(Action::send, Function::Isend, to, line);
  end_call();
  open_[event] = line;
  return event;
}

std::size_t RankCalls::start_receive(const Side& from, std::uint32_t line) {
  const std::size_t event = start(Action::receive, Function::Irecv, from, line);
  end_call();
  open_[event] = line;
  return event;
}

void RankCalls::wait(std::span<const std::size_t> started, std::uint32_t line) {
  for (const std::size_t event : started) {
    complete(event, Function::Waitall, line);
    open_.erase(event);
  }
  if (!started.empty())
    end_call();
}

std::uint32_t RankCalls::number(const model::Arguments& arguments) {
  const auto [known, is_new] =
      arguments_.try_emplace(arguments, static_cast<std::uint32_t>(rank_.arguments.size()) + 1);
  if (is_new)
    rank_.arguments.push_back(arguments);
  return known->second;
}

void RankCalls::collective(Function function, const Group& group, std::uint32_t root,
                           std::uint64_t bytes, std::uint32_t rank, std::uint32_t line) {
  const Shape shape = shape_of(function);
  const bool is_root = shape != Shape::all && root == rank;
  const std::size_t event =
      add({.action = Action::arrive,
           .shape = shape,
           .function = index_of(function),
           .partner = shape == Shape::all ? -1 : static_cast<std::int32_t>(root),
           .members = group.size,
           .communicator = group.number,
           .bytes = contributed(function, group, is_root, bytes),
           .site = line,
           .arguments = number(arguments_of(function, is_root, bytes))});
  complete(event, function, line);
  end_call();
}

void RankCalls::make_group(const Group& group, std::uint32_t line) {
  model::Arguments arguments;
  arguments.made = group.number;
  arguments.members = group.members;
  const std::size_t event = add({.action = Action::arrive,
                                 .shape = Shape::all,
                                 .function = index_of(Function::Comm_create_group),
                                 .members = group.size,
                                 .communicator = group.number,
                                 .site = line,
                                 .arguments = number(arguments)});
  complete(event, Function::Comm_create_group, line);
  end_call();
}

void RankCalls::sleep(double seconds, std::uint32_t line) {
  const std::size_t event =
      add({.action = Action::other, .function = index_of(Function::Sleep), .site = line});
  rank_.events[event].duration = static_cast<float>(seconds);
  end_call();
}

void RankCalls::begin_iteration(std::uint32_t line) {
  add({.action = Action::other, .function = index_of(Function::Iteration), .site = line});
  end_call();
}

void RankCalls::begin_step(std::uint32_t line) {
  steps_.push_back({rank_.events.size(), rank_.work.size()});
  begin_iteration(line);
}

/// `step`: from 0 on. The first event of a step is its mark: the work before that is of the step
/// before it.
bool RankCalls::is_like_first(std::size_t step) const {
  const bool is_last = step + 1 == steps_.size();
  const StepBegin& first = steps_[0];
  const StepBegin& begin = steps_[step];
  const StepBegin end =
      is_last ? StepBegin{rank_.events.size(), rank_.work.size()} : steps_[step + 1];
  const std::size_t events = end.event - begin.event;
  if (events != steps_[1].event - first.event)
    return false;
  for (std::size_t e = 0; e < events; ++e) {
    const model::Event& a = rank_.events[first.event + e];
    const model::Event& b = rank_.events[begin.event + e];
    if (a.operation != b.operation || a.started != b.started || a.duration != b.duration)
      return false;
  }
  constexpr double rounding = 1;
  const std::size_t works = steps_[1].work - first.work;
  for (std::size_t w = 1; w <= works; ++w) {
    const std::size_t index = begin.work + w;
    const double work = index < rank_.work.size() ? rank_.work[index].value() : work_;
    if (std::abs(work - rank_.work[first.work + w].value()) > rounding)
      return false;
  }
  return true;
}

std::optional<std::size_t> RankCalls::end_steps() {
  std::optional<std::size_t> unlike;
  for (std::size_t step = 1; step < steps_.size() && !unlike; ++step)
    if (!is_like_first(step))
      unlike = step + 1;
  steps_.clear();
  return unlike;
}

model::RankTimeline RankCalls::finish() {
  take_work();
  return std::move(rank_);
}

} // namespace hypermile::application
