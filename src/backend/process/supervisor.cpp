#include "backend/process/supervisor.hpp"

#include "backend/process/leave.hpp"
#include "backend/process/standby.hpp"
#include "backend/process/supervisor_loop.hpp"
#include "backend/process/words.hpp"
#include "control/small_file.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <utility>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hypermile::backend::process {
namespace {

namespace guard = control::guard;

constexpr int patience_ms = 10'000;

/// It has two for each process of the program.
void open_as_many_as_may_be() {
  rlimit most{};
  if (::getrlimit(RLIMIT_NOFILE, &most) == 0) {
    most.rlim_cur = most.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &most);
  }
}

/// The life of a supervisor, in the process that was forked for it.
[[noreturn]] void be_supervisor(int socket, int lifeline, pid_t owner, Program program,
                                Record& record) noexcept {
  try {
    const auto files = record.descriptors();
    detach({socket, lifeline, files[0], files[1]}, "hypermile-supervisor");
    ::prctl(PR_SET_TIMERSLACK, 1);
    open_as_many_as_may_be();
    program.strangers.insert(::getpid());
    SupervisorLoop(socket, owner, program, record).run();
    ::_exit(0);
  } catch (...) { // the owner, or the standby, does what is left to do
    ::_exit(1);
  }
}

} // namespace

struct Supervisor::State {
  Program program;
  Record record{};
  Standby standby;
  ProcessTree tree;
  control::Descriptor socket{};
  pid_t owner = ::getpid();
  pid_t supervisor = 0;
  bool ended = false; ///< the program has
  bool lost = false;  ///< the supervisor was killed
  CpuUse use{};

  explicit State(const Program& of) : program(of), standby(of, record), tree(with_stranger()) {}
  /// The program, of which the standby is no part.
  const Program& with_stranger() {
    program.strangers.insert(standby.pid());
    return program;
  }

  void start();
  std::string ask(guard::Word word, const std::string& text = "");
  void order(guard::Word word, const std::string& text, const std::string& what);
  void hear(const guard::Message& answer);
  void look();
  void bury(bool kill);
  void take_over();
};

void Supervisor::State::start() {
  int pair[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
    throw control::FileError("cannot start a supervisor", errno);
  socket = control::Descriptor(pair[0]);
  const control::Descriptor theirs(pair[1]);
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before); // which the supervisor keeps
  supervisor = ::fork();
  if (supervisor == 0)
    be_supervisor(theirs.number(), standby.lifeline(), owner, program, record);
  const int error = errno;
  standby.give_away_lifeline();
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (supervisor < 0)
    throw control::FileError("cannot start a supervisor", error);
}

/// Of the supervisor, which has ended or is about to.
void Supervisor::State::bury(bool kill) {
  if (supervisor > 0 && kill)
    ::kill(supervisor, SIGKILL);
  if (supervisor > 0)
    ::waitpid(supervisor, nullptr, 0);
  supervisor = 0;
}

void Supervisor::State::take_over() {
  bury(true);
  lost = true;
  if (const auto found = record.read())
    leave_as_found(tree, *found);
  record.clear(); // the standby comes too late to change anything
}

void Supervisor::State::hear(const guard::Message& answer) {
  const CpuUse now = words::unpack_use(answer.text);
  use = {std::max(use.computed, now.computed), std::max(use.contended, now.contended)};
  ended = answer.word == words::ended;
  if (ended)
    bury(false);
}

/// Returns why it is not done; empty: it is, or there is nothing to do any more.
std::string Supervisor::State::ask(guard::Word word, const std::string& text) {
  if (ended || lost)
    return "";
  (void)guard::send(socket.number(), {word, text}); // if it cannot be sent, the end can be read
  const auto answer = guard::receive(socket.number(), patience_ms);
  if (answer && answer->word == words::failed)
    return answer->text;
  if (answer)
    hear(*answer);
  else
    take_over();
  return "";
}

/// `what`: the order, as in "cannot ...".
void Supervisor::State::order(guard::Word word, const std::string& text, const std::string& what) {
  if (owner != ::getpid())
    return;
  std::string reason = ask(word, text);
  if (lost && tree.alive())
    reason = "the supervisor that did it was killed; the program is as it was found";
  if (!reason.empty())
    throw Error(ErrorKind::hardware,
                fmt::format("cannot {} process {}: {}", what, program.root, reason));
}

/// Brings `use` and `ended` up to date.
void Supervisor::State::look() {
  if (owner != ::getpid())
    return;
  ask(words::tell);
  if (!lost)
    return;
  tree.scan();
  use.computed = std::max(use.computed, tree.cpu_time());
  ended = !tree.alive();
}

Supervisor::Supervisor(Program program) {
  if (program.root == ::getpid())
    throw Error(ErrorKind::config, "a process cannot confine and slow down itself");
  program.strangers.insert(::getpid());
  state_ = std::make_unique<State>(program);
  state_->start();
  if (const auto answer = guard::receive(state_->socket.number(), patience_ms)) {
    state_->hear(*answer);
    return;
  }
  state_->take_over(); // of a program that has ended meanwhile, or of nothing
  if (state_->tree.alive())
    throw Error(ErrorKind::hardware, "the supervisor that was to watch the program did not start");
}

Supervisor::~Supervisor() {
  if (state_->owner != ::getpid())
    return;
  try {
    state_->ask(words::release);
  } catch (const std::exception&) { // nothing is left that could be done
  }
  state_->bury(false);
}

void Supervisor::confine(const control::CpuSet& cpus) {
  state_->order(words::confine, words::pack(cpus), "confine");
}

void Supervisor::slow_down(double scale) {
  state_->order(words::slow_down, fmt::format("{}", scale), "slow down");
}

CpuUse Supervisor::cpu_use() {
  state_->look();
  return state_->use;
}

bool Supervisor::alive() {
  state_->look();
  return !state_->ended;
}

pid_t Supervisor::pid() const { return state_->supervisor; }
pid_t Supervisor::standby() const { return state_->standby.pid(); }

} // namespace hypermile::backend::process
