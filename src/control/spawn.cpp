#include "control/spawn.hpp"

#include "control/descriptor.hpp"
#include "control/small_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>

namespace hypermile::control {
namespace {

using Stack = std::vector<std::max_align_t>;

Stack make_stack() { return Stack((256 << 10) / sizeof(std::max_align_t)); }

/// All that the child needs. It is made before there is a child, which runs on our memory and may
/// do nothing but system calls.
struct Plan {
  std::string program;
  std::vector<char*> arguments;
  std::vector<char*> environment;
  std::vector<int> descriptors;
  Spawn::Place place;
  sigset_t blocked;
  bool dies_with_us;
  std::string folder;
  pid_t parent = ::getpid();
  Stack stack = make_stack();
  pid_t pid = -1;
  int error = 0; ///< an errno
};

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (const std::string& text : texts)
    all.push_back(const_cast<char*>(text.c_str())); // execve() takes them so, and changes nothing
  all.push_back(nullptr);
  return all;
}

/// A handler of ours must not run in the child, which shares our memory until it is the program.
void reset_handlers() {
  struct sigaction action {};
  for (int signal = 1; signal < NSIG; ++signal)
    if (::sigaction(signal, nullptr, &action) == 0 &&
        (signal == SIGPIPE || (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN))) {
      action = {};
      ::sigaction(signal, &action, nullptr);
    }
}

/// False: errno says why.
bool prepare_child(const Plan& plan) {
  reset_handlers();
  const bool apart = plan.place == Spawn::Place::apart;
  if (apart && (::setsid() < 0 || ::chdir("/") != 0))
    return false;
  if (!apart && !plan.folder.empty() && ::chdir(plan.folder.c_str()) != 0)
    return false;
  if (plan.place == Spawn::Place::own_group && ::setpgid(0, 0) != 0)
    return false;
  if (plan.dies_with_us && ::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
    return false;
  if (plan.dies_with_us && ::getppid() != plan.parent)
    return false; // we have ended meanwhile, and nobody reads errno
  for (std::size_t i = 0; i < plan.descriptors.size(); ++i)
    if (plan.descriptors[i] >= 0 && ::dup2(plan.descriptors[i], static_cast<int>(i)) < 0)
      return false;
  if (apart)
    ::closefrom(static_cast<int>(plan.descriptors.size()));
  return ::sigprocmask(SIG_SETMASK, &plan.blocked, nullptr) == 0;
}

int become_program(void* data) {
  Plan& plan = *static_cast<Plan*>(data);
  if (prepare_child(plan))
    ::execve(plan.program.c_str(), plan.arguments.data(), plan.environment.data());
  plan.error = errno;
  return 127;
}

/// As vfork() does: this thread waits until the child is another program or has ended.
pid_t run_on(Stack& stack, int (*function)(void*), void* data, int signal_of_end) {
  return ::clone(function, stack.data() + stack.size(), CLONE_VM | CLONE_VFORK | signal_of_end,
                 data);
}

int start_child(void* data) {
  Plan& plan = *static_cast<Plan*>(data);
  plan.pid = run_on(plan.stack, become_program, &plan, SIGCHLD);
  if (plan.pid < 0)
    plan.error = errno;
  else if (plan.error != 0)
    ::waitpid(plan.pid, nullptr, 0);
  return 0;
}

/// By a process in between that ends at once. It sends no signal when it does.
void start_strangers_child(Plan& plan) {
  Stack stack = make_stack();
  const pid_t between = run_on(stack, start_child, &plan, 0);
  if (between < 0)
    plan.error = errno;
  else
    ::waitpid(between, nullptr, static_cast<int>(__WCLONE));
}

void start(Plan& plan) {
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  plan.error = 0;
  if (plan.place == Spawn::Place::apart)
    start_strangers_child(plan);
  else
    start_child(&plan);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

std::string value_of(const std::vector<std::string>& environment, const std::string& name) {
  for (const std::string& variable : environment)
    if (variable.starts_with(name + "="))
      return variable.substr(name.size() + 1);
  return "";
}

std::string find_or_throw(const Spawn& program) {
  const std::string& name = program.arguments.at(0);
  const std::string given = value_of(program.environment, "PATH");
  const std::string path = given.empty() ? "/bin:/usr/bin" : given;
  std::string file = find_program(name, path);
  if (file.empty())
    throw FileError(fmt::format("cannot start '{}'", name),
                    find_program(name, path, F_OK).empty() ? ENOENT : EACCES);
  if (!program.folder.empty() && !std::filesystem::is_directory(program.folder))
    throw FileError(fmt::format("cannot start '{}' in {}", name, program.folder), ENOTDIR);
  return file;
}

/// Copies whose numbers are none of those that the program is given.
std::vector<Descriptor> copies_of(const std::vector<int>& descriptors) {
  std::vector<Descriptor> copies;
  const Descriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  for (const int descriptor : descriptors) {
    const int source = descriptor == Spawn::nothing ? nothing.number() : descriptor;
    if (descriptor == Spawn::ours)
      copies.emplace_back();
    else
      copies.emplace_back(::fcntl(source, F_DUPFD_CLOEXEC, static_cast<int>(descriptors.size())));
    if (descriptor != Spawn::ours && copies.back().number() < 0)
      throw FileError("cannot hand on a file", errno);
  }
  return copies;
}

bool is_text(const std::string& file) {
  std::array<char, 256> block{};
  std::ifstream stream(file, std::ios::binary);
  stream.read(block.data(), block.size());
  const std::string_view text(block.data(), static_cast<std::size_t>(stream.gcount()));
  return text.find('\0') == std::string_view::npos;
}

[[noreturn]] void fail(const std::string& name, const std::string& file, int error) {
  const bool interpreter = error == ENOENT && ::access(file.c_str(), F_OK) == 0;
  throw FileError(
      fmt::format("cannot start '{}'{}", name, interpreter ? ", whose interpreter is missing" : ""),
      error);
}

} // namespace

std::vector<std::string> environment_with(const Variables& variables, std::string_view hidden) {
  std::vector<std::string> all;
  for (char** variable = ::environ; variable != nullptr && *variable != nullptr; ++variable)
    if (hidden.empty() || !std::string_view(*variable).starts_with(hidden))
      all.emplace_back(*variable);
  for (const auto& [name, value] : variables) {
    const std::string begin = name + "=";
    std::erase_if(all, [&](const std::string& one) { return one.starts_with(begin); });
    all.push_back(begin + value);
  }
  return all;
}

std::string find_program(const std::string& name, const std::string& path, int mode) {
  const auto is_one = [mode](const std::string& file) {
    std::error_code ignored;
    const bool folder = mode == X_OK && std::filesystem::is_directory(file, ignored);
    return !folder && ::access(file.c_str(), mode) == 0;
  };
  if (name.find('/') != std::string::npos)
    return is_one(name) ? name : "";
  std::istringstream folders(path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (std::string file = (folder.empty() ? "." : folder) + "/" + name; is_one(file))
      return file;
  return "";
}

pid_t spawn(const Spawn& program) {
  const std::string file = find_or_throw(program);
  const auto copies = copies_of(program.descriptors);
  Plan plan{.program = file,
            .arguments = pointers(program.arguments),
            .environment = pointers(program.environment),
            .descriptors = {},
            .place = program.place,
            .blocked = {},
            .dies_with_us = program.dies_with_us,
            .folder = program.folder};
  for (const Descriptor& copy : copies)
    plan.descriptors.push_back(copy.number());
  ::pthread_sigmask(SIG_SETMASK, nullptr, &plan.blocked);
  plan.blocked = program.blocked.value_or(plan.blocked);
  start(plan);
  if (plan.error == ENOEXEC && is_text(file)) {
    plan.program = "/bin/sh";
    plan.arguments[0] = plan.program.data();
    plan.arguments.insert(plan.arguments.begin() + 1, const_cast<char*>(file.c_str()));
    start(plan);
  }
  if (plan.error != 0)
    fail(program.arguments[0], file, plan.error);
  return plan.pid;
}

ProcessEnd end_of(int status) {
  if (WIFSIGNALED(status))
    return {128 + WTERMSIG(status), WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

} // namespace hypermile::control
