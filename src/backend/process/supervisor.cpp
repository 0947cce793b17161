#include "backend/process/supervisor.hpp"

#include "backend/process/leave.hpp"
#include "backend/process/supervisor_loop.hpp"
#include "backend/process/words.hpp"
#include "control/small_file.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <utility>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hypermile::backend::process {
namespace {

namespace guard = control::guard;

constexpr int patience_ms = 10'000;

/// Closes all but these: whoever waits for a pipe to end must not wait for a supervisor.
void keep_only(std::array<int, 3> descriptors) {
  std::ranges::sort(descriptors);
  unsigned next = 0;
  for (const int kept : descriptors) {
    if (static_cast<unsigned>(kept) > next)
      ::close_range(next, static_cast<unsigned>(kept) - 1, 0);
    next = static_cast<unsigned>(kept) + 1;
  }
  ::close_range(next, ~0U, 0);
  for (int missing = 0; missing <= 2; ++missing) // which libraries may write to
    if (::fcntl(missing, F_GETFD) < 0)
      (void)!::open("/dev/null", O_RDWR);
}

/// It has two for each process of the program.
void open_as_many_as_may_be() {
  rlimit most{};
  if (::getrlimit(RLIMIT_NOFILE, &most) == 0) {
    most.rlim_cur = most.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &most);
  }
}

/// The life of a supervisor, in the process that was forked for it.
[[noreturn]] void be_supervisor(int socket, pid_t owner, Program program, Record& record) noexcept {
  try {
    ::setsid();
    ::prctl(PR_SET_NAME, "hypermile-supervisor");
    ::prctl(PR_SET_TIMERSLACK, 1);
    const auto files = record.descriptors();
    keep_only({socket, files[0], files[1]});
    open_as_many_as_may_be();
    (void)!::chdir("/");
    program.strangers.insert(::getpid());
    SupervisorLoop(socket, owner, program, record).run();
    ::_exit(0);
  } catch (...) { // the owner does what is left to do
    ::_exit(1);
  }
}

} // namespace

struct Supervisor::State {
  Program program;
  ProcessTree tree;
  Record record{};
  control::Descriptor socket{};
  pid_t owner = ::getpid();
  pid_t supervisor = 0;
  bool ended = false; ///< the program has
  bool lost = false;  ///< the supervisor was killed
  Seconds cpu_time{};

  explicit State(const Program& of) : program(of), tree(of) {}

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
    be_supervisor(theirs.number(), owner, program, record);
  const int error = errno;
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
  leave_as_found(tree, record.read());
}

void Supervisor::State::hear(const guard::Message& answer) {
  cpu_time = std::max(cpu_time, Seconds{std::strtod(answer.text.c_str(), nullptr)});
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

/// Brings `cpu_time` and `ended` up to date.
void Supervisor::State::look() {
  if (owner != ::getpid())
    return;
  ask(words::tell);
  if (!lost)
    return;
  tree.scan();
  cpu_time = std::max(cpu_time, tree.cpu_time());
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

Seconds Supervisor::cpu_time() {
  state_->look();
  return state_->cpu_time;
}

bool Supervisor::alive() {
  state_->look();
  return !state_->ended;
}

pid_t Supervisor::pid() const { return state_->supervisor; }

} // namespace hypermile::backend::process
