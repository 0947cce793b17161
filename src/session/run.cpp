#include "session/run.hpp"

#include "session/program.hpp"
#include "session/remote.hpp"
#include "session/request.hpp"

#include "backend/process/confiner.hpp"
#include "backend/process/warden.hpp"
#include "control/affinity.hpp"
#include "control/steady_clock.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <ctime>

#include <poll.h>

namespace hypermile::session {
namespace {

namespace process = backend::process;

/// A program that has not reported anything after this time is told of.
constexpr Seconds patience{10};

Seconds since_midnight() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  return Seconds{static_cast<double>((local.tm_hour * 60 + local.tm_min) * 60 + local.tm_sec)};
}

control::CpuSet allowed_to(pid_t pid) {
  auto cpus = control::affinity(pid);
  if (!cpus)
    throw Error(ErrorKind::hardware, fmt::format("cannot read on which CPUs process {} may run: {}",
                                                 pid, std::strerror(errno)));
  return *cpus;
}

/// A bound that nobody measures cannot be kept.
void check_meter(const steer::Bounds& bounds, const Machine& machine) {
  if (!machine.measures().empty() || (!bounds.power && !bounds.energy))
    return;
  throw Error(ErrorKind::unsupported,
              "a bound on power or energy needs a meter, and this machine has none that can be read",
              "'hypermile doctor' says why; '--backend emulated' tries it out without");
}

/// All of one run.
class Session {
public:
  Session(const Job& job, const Listener& listener);
  Outcome run();

private:
  void steer();
  void follow_schedule();
  std::string answer(const std::string& request);
  void set_bounds(const steer::Bounds& bounds);
  void wait_until(Seconds time);
  void remark_on_silence();
  void remark(const std::string& text) const {
    if (listener_.remark)
      listener_.remark(text);
  }

  const Job& job_;
  const Listener& listener_;
  control::SteadyClock clock_;
  Program program_;
  process::Warden warden_;
  process::ProcessConfiner confiner_;
  Machine machine_;
  Steering steering_;
  Remote remote_;
  steer::Bounds bounds_;
  bool silence_told_ = false;
};

steer::Bounds scheduled(steer::Bounds bounds, const std::optional<steer::PowerSchedule>& schedule) {
  if (schedule)
    bounds.power = steer::power_at(*schedule, since_midnight());
  return bounds;
}

Session::Session(const Job& job, const Listener& listener)
    : job_(job), listener_(listener), program_(job), warden_(program_.processes()),
      confiner_(warden_),
      machine_(job.machine, allowed_to(program_.pid()), warden_, clock_, program_.name()),
      steering_(machine_.node(),
                {clock_, confiner_, machine_.gears(), machine_.meter(), program_.progress()},
                steer::Controller(machine_.node().space, job.method,
                                  scheduled(job.bounds, job.schedule), job.watching),
                [this](const Row& row) {
                  if (listener_.sample)
                    listener_.sample(row, machine_.node());
                }),
      remote_({program_.pid(), ::getpid()}), bounds_(scheduled(job.bounds, job.schedule)) {
  check_meter(bounds_, machine_);
  for (const std::string& text : machine_.remarks())
    remark(text);
  if (listener_.begin)
    listener_.begin(machine_);
}

void Session::set_bounds(const steer::Bounds& bounds) {
  if (bounds == bounds_)
    return;
  check_meter(bounds, machine_);
  steering_.set_bounds(bounds);
  bounds_ = bounds;
}

void Session::follow_schedule() { set_bounds(scheduled(bounds_, job_.schedule)); }

std::string Session::answer(const std::string& request) {
  try {
    if (job_.schedule && request.starts_with("power="))
      throw Error(ErrorKind::config, "the bound on power follows a schedule");
    set_bounds(changed(bounds_, request));
    return "ok";
  } catch (const Error& error) {
    return fmt::format("error: {}", error.what());
  }
}

void Session::wait_until(Seconds time) {
  auto watched = program_.descriptors();
  for (const int number : remote_.descriptors())
    watched.push_back(number);
  std::vector<pollfd> files;
  for (const int number : watched)
    files.push_back({.fd = number, .events = POLLIN, .revents = 0});
  const double left = std::max((time - clock_.now()).value(), 0.0);
  (void)::poll(files.data(), files.size(), static_cast<int>(std::ceil(left * 1e3)));
}

void Session::remark_on_silence() {
  if (silence_told_ || steering_.result().reported || clock_.now() < patience)
    return;
  silence_told_ = true;
  remark(fmt::format("the program has not reported any progress in {} s; nothing is set until it "
                     "does{}{}; try: hm_progress() in the program, --progress-regex, or --progress "
                     "instructions",
                     patience.value(), program_.progress().why_not().empty() ? "" : ": ",
                     program_.progress().why_not()));
}

void Session::steer() {
  while (!program_.asked_to_end()) {
    program_.look();
    if (!warden_.alive())
      return;
    remote_.answer([this](const std::string& request) { return answer(request); });
    follow_schedule();
    const Seconds due = steering_.step();
    remark_on_silence();
    wait_until(due);
  }
}

Outcome Session::run() {
  try {
    steer();
  } catch (const Error& error) {
    remark(fmt::format("the program is not steered any more: {}", error.what()));
  }
  Outcome outcome{.result = steering_.result(),
                  .account = steering_.controller().account(),
                  .bounds = bounds_,
                  .configuration =
                      describe(machine_.node().space[steering_.result().configuration],
                               machine_.node().space),
                  .backend = machine_.backend(),
                  .measures = machine_.measures()};
  return outcome;
}

} // namespace

Outcome run(const Job& job, const Listener& listener) {
  Outcome outcome;
  {
    Session session(job, listener);
    outcome = session.run();
  }
  return outcome;
}

} // namespace hypermile::session
