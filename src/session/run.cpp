#include "session/run.hpp"

#include "session/program.hpp"
#include "session/remote.hpp"
#include "session/request.hpp"

#include "backend/process/confiner.hpp"
#include "backend/process/supervisor.hpp"
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
#include <unistd.h>

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
void check_meter(const steer::Bounds& bounds, const SteeredNode& machine) {
  if (!machine.measures().empty() || (!bounds.power && !bounds.energy))
    return;
  throw Error(
      ErrorKind::unsupported,
      "a bound on power or energy needs a meter, and this machine has none that can be read",
      "'hypermile doctor' says why; '--backend emulated' tries it out without");
}

steer::Bounds scheduled(steer::Bounds bounds, const std::optional<steer::PowerSchedule>& schedule) {
  if (schedule)
    bounds.power = steer::power_at(*schedule, since_midnight());
  return bounds;
}

/// A program at work, from where it is there to where it is left as it was found.
class Session {
public:
  Session(const Job& job, const Listener& listener, SteeredNode& machine, Program& program,
          steer::Controller controller);

  /// Until the program ends, or we are asked to.
  void run();
  [[nodiscard]] Outcome outcome() const;

private:
  std::string answer(const std::string& request);
  void set_bounds(const steer::Bounds& bounds);
  void wait_until(Seconds time);
  void remark_on_silence();

  const Job& job_;
  const Listener& listener_;
  control::SteadyClock clock_;
  SteeredNode& machine_;
  Program& program_;
  process::Supervisor supervisor_;
  process::ProcessConfiner confiner_;
  Remote remote_;
  steer::Bounds bounds_;
  bool silence_told_ = false;
  std::optional<Steering> steering_;
};

Session::Session(const Job& job, const Listener& listener, SteeredNode& machine, Program& program,
                 steer::Controller controller)
    : job_(job), listener_(listener), machine_(machine), program_(program),
      supervisor_(program.processes()), confiner_(supervisor_),
      remote_({program.pid(), ::getpid()}), bounds_(controller.bounds()) {
  program.leave_out({supervisor_.pid(), supervisor_.standby()});
  machine.attach(supervisor_, clock_);
  const Ports ports{
      clock_,          confiner_,          machine.gears(),
      machine.meter(), program.progress(), [this] { return supervisor_.cpu_use().contended; }};
  steering_.emplace(machine.node(), ports, std::move(controller), [this](const Row& row) {
    if (listener_.sample)
      listener_.sample(row, machine_.node());
  });
}

void Session::set_bounds(const steer::Bounds& bounds) {
  if (bounds == bounds_)
    return;
  check_meter(bounds, machine_);
  steering_->set_bounds(bounds);
  bounds_ = bounds;
}

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

/// Counters that cannot be read at the begin will not be read later.
void Session::remark_on_silence() {
  if (silence_told_ || steering_->result().reported)
    return;
  const std::string why = program_.progress().why_not();
  const bool hopeless = job_.source == ProgressSource::instructions && !why.empty();
  if (!hopeless && clock_.now() < patience)
    return;
  silence_told_ = true;
  const std::string since = hopeless ? "" : fmt::format(" in {} s", patience.value());
  listener_.remark(fmt::format(
      "the program has reported no progress{}, and nothing is set until it does{}", since,
      why.empty() ? "; try: hm_progress() in the program, --progress-regex, or --progress "
                    "instructions"
                  : ": " + why));
}

void Session::run() {
  while (!program_.asked_to_end()) {
    program_.look();
    if (!supervisor_.alive())
      return;
    if (supervisor_.pid() == 0)
      throw Error(ErrorKind::hardware,
                  "the process that confined it was killed; it is as it was found");
    remote_.answer([this](const std::string& request) { return answer(request); });
    set_bounds(scheduled(bounds_, job_.schedule));
    const Seconds due = steering_->step();
    remark_on_silence();
    wait_until(due);
  }
}

Outcome Session::outcome() const {
  const Result result = steering_->result();
  const steer::Space& space = machine_.node().space;
  return {.exit_code = 0,
          .program_ended = !program_.asked_to_end(),
          .result = result,
          .account = steering_->controller().account(),
          .bounds = bounds_,
          .configuration = describe(space[result.configuration], space),
          .backend = machine_.backend(),
          .measures = machine_.measures()};
}

} // namespace

Outcome run(const Job& job, const Listener& listener) {
  const control::CpuSet allowed = allowed_to(job.command.empty() ? job.pid : 0);
  SteeredNode machine(job.machine, allowed, job.command.empty() ? "" : job.command.front());
  const steer::Bounds bounds = scheduled(job.bounds, job.schedule);
  check_meter(bounds, machine);
  steer::Controller controller(machine.node().space, job.method, bounds, job.sampling);
  for (const std::string& text : machine.remarks())
    listener.remark(text);
  Program program(job);
  Outcome outcome;
  outcome.bounds = bounds;
  outcome.backend = machine.backend();
  outcome.measures = machine.measures();
  try {
    Session session(job, listener, machine, program, std::move(controller));
    try {
      session.run();
    } catch (const Error& error) {
      listener.remark(fmt::format("the program is not steered any more: {}", error.what()));
    }
    outcome = session.outcome();
  } catch (const Error& error) {
    listener.remark(fmt::format("the program cannot be steered: {}", error.what()));
  }
  for (const std::string& failure : machine.release())
    listener.remark(failure);
  outcome.exit_code = program.wait_for_end();
  return outcome;
}

} // namespace hypermile::session
