#include "session/program.hpp"

#include "backend/process/numbers_in.hpp"
#include "backend/progress/instruction_progress.hpp"
#include "backend/progress/output_progress.hpp"
#include "backend/progress/shared_progress.hpp"
#include "launch/environment.hpp"
#include "launch/signals.hpp"
#include "progress/memory.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hypermile::session {
namespace {

namespace progress = backend::progress;
namespace process = backend::process;
using control::Descriptor;

progress::SharedProgress::Source source_of(ProgressSource source) {
  switch (source) {
  case ProgressSource::calls:
    return progress::SharedProgress::Source::calls;
  case ProgressSource::openmp:
    return progress::SharedProgress::Source::openmp;
  case ProgressSource::automatic:
  case ProgressSource::instructions:
    break;
  }
  return progress::SharedProgress::Source::automatic;
}

/// A list of libraries with this one before those that the user has there.
std::pair<std::string, std::string> put_before(const char* variable, const std::string& library) {
  const char* const present = std::getenv(variable);
  return {variable, launch::before(library, present == nullptr ? "" : present)};
}

std::string library_beside(const std::string& library, const char* name) {
  return std::filesystem::path(library).parent_path() / name;
}

struct Pipe {
  Descriptor read;
  Descriptor write;
};

Pipe make_pipe() {
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw Error(ErrorKind::hardware, fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

/// To our own standard output, whatever that takes.
void pass_on(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EAGAIN) {
      pollfd writable{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
      (void)::poll(&writable, 1, -1);
    } else if (written < 0 && errno != EINTR) {
      return; // nobody reads it any more
    } else if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }
}

} // namespace

struct Program::State {
  pid_t pid = 0;
  std::string name;
  std::unique_ptr<launch::Running> running;     ///< null: we found it
  std::unique_ptr<launch::HeldSignals> signals; ///< null: `running` has them
  std::optional<launch::End> end;
  Descriptor output;
  std::unique_ptr<process::ProcessTree> tree;
  std::unique_ptr<progress::SharedProgress> shared;
  std::unique_ptr<progress::OutputProgress> from_output;
  std::unique_ptr<progress::InstructionProgress> instructions;
  std::set<pid_t> strangers{::getpid()};
  bool asked_to_end = false;

  void start(const Job& job);
  void find(const Job& job);
  std::vector<pid_t> pids() const;
  void copy_output();
  void reap_orphans() const;
};

std::vector<pid_t> Program::State::pids() const {
  std::vector<pid_t> all;
  if (tree) {
    tree->scan();
    for (const process::Process& one : tree->processes())
      all.push_back(one.pid);
  }
  return all;
}

void Program::State::start(const Job& job) {
  launch::Command command{.arguments = job.command, .environment = {}};
  command.environment.emplace_back(hypermile::progress::memory_variable, shared->environment());
  command.environment.push_back(put_before("LD_PRELOAD", job.library));
  command.environment.push_back(
      put_before("OMP_TOOL_LIBRARIES", library_beside(job.library, "libhypermile-openmp.so")));
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (!from_output) {
    running = std::make_unique<launch::Running>(command);
  } else {
    Pipe pipe = make_pipe();
    running = std::make_unique<launch::Running>(command, pipe.write.number());
    output = std::move(pipe.read);
  }
  pid = running->pid();
  strangers.insert(running->helper());
  name = job.command.front();
}

void Program::State::find(const Job& job) {
  pid = job.pid;
  std::error_code gone;
  name = std::filesystem::read_symlink(fmt::format("/proc/{}/exe", pid), gone).string();
  signals = std::make_unique<launch::HeldSignals>();
}

Program::Program(const Job& job) : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.shared = std::make_unique<progress::SharedProgress>([&state] { return state.pids(); },
                                                            source_of(job.source));
  if (!job.progress_regex.empty())
    state.from_output = std::make_unique<progress::OutputProgress>(job.progress_regex);
  if (job.command.empty())
    state.find(job);
  else
    state.start(job);
  state.tree = std::make_unique<process::ProcessTree>(processes());
  if (job.source == ProgressSource::instructions) {
    std::vector<pid_t> threads;
    for (const process::Process& one : state.tree->processes())
      threads.insert(threads.end(), one.threads.begin(), one.threads.end());
    state.instructions = std::make_unique<progress::InstructionProgress>(threads);
  }
}

Program::~Program() = default;

pid_t Program::pid() const { return state_->pid; }
std::string Program::name() const { return state_->name; }

process::Program Program::processes() const {
  return {.root = state_->pid,
          .reaper = state_->running ? ::getpid() : 0,
          .strangers = state_->strangers};
}

void Program::leave_out(const std::set<pid_t>& strangers) {
  state_->strangers.insert(strangers.begin(), strangers.end());
  state_->tree = std::make_unique<process::ProcessTree>(processes());
}

control::Progress& Program::progress() {
  if (state_->from_output)
    return *state_->from_output;
  if (state_->instructions)
    return *state_->instructions;
  return *state_->shared;
}

void Program::State::copy_output() {
  constexpr std::size_t piece = 1 << 16;
  std::vector<char> buffer(piece);
  while (output.number() >= 0) {
    const ssize_t size = ::read(output.number(), buffer.data(), buffer.size());
    if (size < 0)
      return; // nothing is there at the moment
    if (size == 0) {
      output = Descriptor();
      return;
    }
    const std::string_view text(buffer.data(), static_cast<std::size_t>(size));
    from_output->take(text);
    pass_on(text);
  }
}

/// Processes that the program has left without a parent are our children, however shortly they
/// lived: all that have ended are waited for, but for those that somebody else waits for.
void Program::State::reap_orphans() const {
  std::ostringstream all;
  for (const pid_t thread : process::numbers_in("/proc/self/task"))
    all << std::ifstream(fmt::format("/proc/self/task/{}/children", thread)).rdbuf();
  std::istringstream children(all.str());
  for (pid_t child = 0; children >> child;)
    if (child != pid && !strangers.contains(child))
      (void)::waitpid(child, nullptr, WNOHANG);
}

void Program::look() {
  if (state_->running) {
    state_->end = state_->running->look();
    state_->asked_to_end = state_->running->asked_to_end();
    state_->reap_orphans();
  }
  if (state_->signals)
    while (const auto taken = state_->signals->take())
      state_->asked_to_end = state_->asked_to_end || taken->signal != SIGCHLD;
  state_->copy_output();
}

std::vector<int> Program::descriptors() const {
  std::vector<int> all;
  if (state_->running)
    all.push_back(state_->running->descriptor());
  if (state_->signals)
    all.push_back(state_->signals->descriptor());
  if (state_->output.number() >= 0)
    all.push_back(state_->output.number());
  return all;
}

bool Program::asked_to_end() const { return state_->asked_to_end; }

int Program::wait_for_end() {
  while (state_->running && !state_->end) {
    look();
    if (state_->end)
      break;
    std::vector<pollfd> files;
    for (const int number : descriptors())
      files.push_back({.fd = number, .events = POLLIN, .revents = 0});
    (void)::poll(files.data(), files.size(), -1);
  }
  state_->copy_output();
  return state_->end ? state_->end->exit_code : 0;
}

} // namespace hypermile::session
