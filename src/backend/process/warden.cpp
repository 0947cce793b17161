#include "backend/process/warden.hpp"

#include "backend/process/leave.hpp"
#include "backend/process/warden_loop.hpp"
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

/// Closes all but these: whoever waits for a pipe to end must not wait for a warden.
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

/// The life of a warden, in the process that was forked for it.
[[noreturn]] void be_warden(int socket, pid_t owner, Program program, Record& record) noexcept {
  try {
    ::setsid();
    ::prctl(PR_SET_NAME, "hypermile-warden");
    ::prctl(PR_SET_TIMERSLACK, 1);
    const auto files = record.descriptors();
    keep_only({socket, files[0], files[1]});
    open_as_many_as_may_be();
    (void)!::chdir("/");
    program.strangers.insert(::getpid());
    WardenLoop(socket, owner, program, record).run();
    ::_exit(0);
  } catch (...) { // the owner does what is left to do
    ::_exit(1);
  }
}

} // namespace

struct Warden::State {
  Program program;
  ProcessTree tree;
  Record record{};
  control::Descriptor socket{};
  pid_t owner = ::getpid();
  pid_t warden = 0;
  bool ended = false; ///< the program has
  bool lost = false;  ///< the warden was killed
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

void Warden::State::start() {
  int pair[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
    throw control::FileError("cannot start a warden", errno);
  socket = control::Descriptor(pair[0]);
  const control::Descriptor theirs(pair[1]);
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before); // which the warden keeps
  warden = ::fork();
  if (warden == 0)
    be_warden(theirs.number(), owner, program, record);
  const int error = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (warden < 0)
    throw control::FileError("cannot start a warden", error);
}

/// Of the warden, which has ended or is about to.
void Warden::State::bury(bool kill) {
  if (warden > 0 && kill)
    ::kill(warden, SIGKILL);
  if (warden > 0)
    ::waitpid(warden, nullptr, 0);
  warden = 0;
}

void Warden::State::take_over() {
  bury(true);
  lost = true;
  leave_as_found(tree, record.read());
}

void Warden::State::hear(const guard::Message& answer) {
  cpu_time = std::max(cpu_time, Seconds{std::strtod(answer.text.c_str(), nullptr)});
  ended = answer.word == words::ended;
  if (ended)
    bury(false);
}

/// Returns why it is not done; empty: it is, or there is nothing to do any more.
std::string Warden::State::ask(guard::Word word, const std::string& text) {
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
void Warden::State::order(guard::Word word, const std::string& text, const std::string& what) {
  if (owner != ::getpid())
    return;
  std::string reason = ask(word, text);
  if (lost && tree.alive())
    reason = "the warden that did it was killed; the program is as it was found";
  if (!reason.empty())
    throw Error(ErrorKind::hardware,
                fmt::format("cannot {} process {}: {}", what, program.root, reason));
}

/// Brings `cpu_time` and `ended` up to date.
void Warden::State::look() {
  if (owner != ::getpid())
    return;
  ask(words::tell);
  if (!lost)
    return;
  tree.scan();
  cpu_time = std::max(cpu_time, tree.cpu_time());
  ended = !tree.alive();
}

Warden::Warden(Program program) {
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
    throw Error(ErrorKind::hardware, "the warden that was to watch the program did not start");
}

Warden::~Warden() {
  if (state_->owner != ::getpid())
    return;
  try {
    state_->ask(words::release);
  } catch (const std::exception&) { // nothing is left that could be done
  }
  state_->bury(false);
}

void Warden::confine(const control::CpuSet& cpus) {
  state_->order(words::confine, words::pack(cpus), "confine");
}

void Warden::slow_down(double scale) {
  state_->order(words::slow_down, fmt::format("{}", scale), "slow down");
}

Seconds Warden::cpu_time() {
  state_->look();
  return state_->cpu_time;
}

bool Warden::alive() {
  state_->look();
  return !state_->ended;
}

pid_t Warden::pid() const { return state_->warden; }

} // namespace hypermile::backend::process
