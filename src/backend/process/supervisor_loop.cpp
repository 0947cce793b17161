#include "backend/process/supervisor_loop.hpp"

#include "backend/process/words.hpp"
#include "control/small_file.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <utility>

#include <poll.h>
#include <unistd.h>

namespace hypermile::backend::process {
namespace {

namespace guard = control::guard;

constexpr Seconds shortest_interval{5e-3};
constexpr Seconds longest_interval{100e-3};
/// Where a scan takes long, so many times that passes before the next; but for those that follow
/// soon after something new.
constexpr double rest = 400;

Seconds now() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return Seconds{static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec)};
}

} // namespace

SupervisorLoop::SupervisorLoop(int socket, pid_t owner, const Program& program, Record& record)
    : socket_(socket), owner_(owner), record_(record), tree_(program),
      interval_(shortest_interval) {}

void SupervisorLoop::run() {
  scan();
  guard::send(socket_, {words::done, use()});
  while (!ends_) {
    wait();
    if (const auto message = guard::receive(socket_, 0))
      obey(*message);
    else if (guard::is_gone(socket_) || ::getppid() != owner_)
      ends_ = true;
    if (!ends_ && cycle_.slows() && now() >= cycle_.switch_at())
      switch_phase();
    if (!ends_ && now() >= scan_at_)
      scan();
    if (!tree_.alive()) {
      record_.clear();
      guard::send(socket_, {words::ended, use()});
      return;
    }
  }
  leave();
  record_.clear();
  answer(0); // perhaps nobody hears it
}

/// Until there is something to do.
void SupervisorLoop::wait() const {
  const Seconds until = cycle_.slows() ? std::min(scan_at_, cycle_.switch_at()) : scan_at_;
  const double left = std::max(0.0, (until - now()).value());
  const timespec timeout{.tv_sec = static_cast<time_t>(left),
                         .tv_nsec = static_cast<long>(std::fmod(left, 1.0) * 1e9)};
  pollfd end{.fd = socket_, .events = POLLIN, .revents = 0};
  ::ppoll(&end, 1, &timeout, nullptr);
}

void SupervisorLoop::obey(const guard::Message& message) {
  if (message.word == words::release)
    ends_ = true;
  else if (message.word == words::confine)
    confine(message.text);
  else if (message.word == words::slow_down)
    slow_down(message.text);
  else {
    scan();
    answer(0);
  }
}

void SupervisorLoop::confine(const std::string& cpus) {
  const auto before = masks_.confinement();
  masks_.confine(words::unpack(cpus));
  const Masks::Outcome outcome = scan();
  const bool refused = outcome.done == 0 && outcome.failed > 0;
  if (refused)
    masks_.confine(before);
  interval_ = shortest_interval;
  schedule(now());
  answer(refused ? outcome.error : 0);
}

void SupervisorLoop::slow_down(const std::string& scale) {
  const double wanted = std::strtod(scale.c_str(), nullptr);
  const int error = wanted > 1 ? stopper_.may_stop() : 0;
  if (error == 0) {
    stopper_.go_on();
    cycle_.start(wanted, now());
  }
  answer(error);
}

std::string SupervisorLoop::use() const {
  return words::pack_use({tree_.cpu_time(), contention_.total()});
}

void SupervisorLoop::answer(int error) {
  if (!tree_.alive()) // run() says so
    return;
  if (error == 0)
    guard::send(socket_, {words::done, use()});
  else
    guard::send(socket_, {words::failed, control::reason(error)});
}

void SupervisorLoop::switch_phase() {
  const bool paused = cycle_.pauses();
  cycle_.switch_phase(now());
  if (cycle_.pauses() == paused)
    return;
  if (paused)
    stopper_.go_on();
  else
    stopper_.stop();
}

Masks::Outcome SupervisorLoop::scan() {
  const Seconds began = now();
  const auto processes = found_.processes.size();
  tree_.scan();
  contention_.update(masks_.confinement(), tree_.cpu_time(), tree_.run_queue_wait());
  stopper_.follow(tree_.processes());
  masks_.observe(tree_.processes());
  note(); // first: whatever is changed has to be changed back
  const Masks::Outcome outcome = masks_.apply();
  const bool grew = found_.processes.size() > processes; // it may start threads now
  interval_ = grew ? shortest_interval : std::min(interval_ * 2, longest_interval);
  schedule(began);
  return outcome;
}

void SupervisorLoop::schedule(Seconds began) {
  const Seconds end = now();
  const double share = interval_ / longest_interval;
  scan_at_ = end + std::max(interval_, (end - began) * (rest * share));
}

void SupervisorLoop::note() {
  Found found;
  for (const Process& process : tree_.processes())
    found.processes[process.pid] = {process.start, stopper_.stopped_by_others(process.pid)};
  for (const auto& [id, thread] : masks_.threads())
    found.threads[id] = {thread.process, thread.wish};
  if (found == found_)
    return;
  record_.write(found);
  found_ = std::move(found);
}

void SupervisorLoop::leave() {
  stopper_.go_on();
  masks_.confine(std::nullopt);
  constexpr int most_rounds = 50; // threads may start others before it is their turn
  for (int i = 0; i < most_rounds; ++i) {
    tree_.scan();
    const bool news = masks_.observe(tree_.processes());
    masks_.apply();
    if (!news && i > 0)
      return;
  }
}

} // namespace hypermile::backend::process
