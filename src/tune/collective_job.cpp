#include "tune/collective_job.hpp"

#include "control/descriptor.hpp"
#include "launch/command.hpp"
#include "launch/environment.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

namespace hypermile::tune {
namespace {

struct Pipe {
  control::Descriptor read;
  control::Descriptor write;
};

Pipe make_pipe() {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw Error(ErrorKind::hardware, "cannot make a pipe to the job");
  return {control::Descriptor(ends[0]), control::Descriptor(ends[1])};
}

/// Bytes of a pipe as lines.
class LineReader {
public:
  explicit LineReader(int descriptor) : descriptor_(descriptor) {}

  /// Reads what is there, or waits for it. False: the other end is closed.
  bool read(const std::function<void(const std::string&)>& take) {
    char bytes[4096];
    const ssize_t count = ::read(descriptor_, bytes, sizeof bytes);
    if (count < 0)
      return errno == EINTR || errno == EAGAIN;
    if (count == 0)
      return false;
    pending_.append(bytes, static_cast<std::size_t>(count));
    for (auto end = pending_.find('\n'); end != std::string::npos; end = pending_.find('\n')) {
      take(pending_.substr(0, end));
      pending_.erase(0, end + 1);
    }
    return true;
  }

private:
  int descriptor_;
  std::string pending_{};
};

std::string program_of(const Launch& launch) {
  const auto path = std::filesystem::path(launch.program_folder) /
                    std::string(collective::name_of(launch.library)) / "collectives";
  if (!std::filesystem::exists(path))
    throw Error(ErrorKind::unsupported, fmt::format("{} is missing", path.string()),
                "build hypermile where that MPI is installed with its headers");
  return path;
}

[[noreturn]] void refuse_one_process() {
  throw Error(ErrorKind::config, "one process takes part, which has nobody to send to",
              "two on a node, or more: mpirun -n 2");
}

/// One run of the job, with what it has said so far.
class Job {
public:
  Job(const Launch& launch, const std::vector<std::string>& arguments) : pipe_(make_pipe()) {
    launch::Command command{.arguments = launch.launcher, .environment = launch.environment};
    command.arguments.push_back(program_of(launch));
    command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
    std::vector<std::string> names;
    for (const auto& [name, value] : launch.of_program) {
      command.environment.emplace_back(name, value);
      names.push_back(name);
    }
    running_.emplace(launch::handed_on(std::move(command), std::move(names)), pipe_.write.number());
    pipe_.write = control::Descriptor();
  }

  launch::End wait(const std::function<void(const Line&)>& take) {
    LineReader reader(pipe_.read.number());
    bool open = true;
    while (true) {
      const auto end = running_->look();
      if (end && !open)
        return *end;
      pollfd events[2] = {{running_->descriptor(), POLLIN, 0}, {pipe_.read.number(), POLLIN, 0}};
      // A process that the job has left behind may hold the pipe open: no waiting for it.
      const int ready = ::poll(events, open ? 2 : 1, end ? 200 : done_ ? time_to_end_ms : -1);
      if (end && ready == 0)
        return *end;
      if (!end && ready == 0)
        end_stuck_job();
      if (open && (events[1].revents & (POLLIN | POLLHUP)) != 0)
        open = reader.read([&](const std::string& line) { handle(line, take); });
    }
  }

  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] int signal() const { return running_->signal(); }
  /// What `take` has thrown, or why a line could not be read.
  [[nodiscard]] std::exception_ptr failure() const {
    return taken_failed_ || signal() == 0 ? failure_ : nullptr;
  }

private:
  /// Nothing is lost. Processes of MPICH 4.0 over TCP were seen to wait in MPI_Finalize for ever if
  /// they come to it 20 ms apart, in any program.
  void end_stuck_job() {
    std::fprintf(stderr,
                 "hypermile: note: the job has done all, and does not end; hypermile ends it\n");
    ::kill(running_->pid(), SIGTERM);
  }

  void handle(const std::string& line, const std::function<void(const Line&)>& take) {
    if (failure_)
      return;
    try {
      const auto parsed = parse_line(line);
      if (!parsed) {
        std::fprintf(stderr, "%s\n", line.c_str());
        return;
      }
      done_ = done_ || std::holds_alternative<Done>(*parsed);
      taken_failed_ = true;
      take(*parsed);
      taken_failed_ = false;
    } catch (...) {
      failure_ = std::current_exception();
      ::kill(running_->pid(), SIGTERM);
    }
  }

  static constexpr int time_to_end_ms = 10'000; ///< once it has done all

  Pipe pipe_;
  std::optional<launch::Running> running_{};
  bool done_ = false;
  std::exception_ptr failure_{};
  /// Otherwise a line is wrong. In a job that is interrupted lines are: mpirun speaks into them.
  bool taken_failed_ = false;
};

} // namespace

JobEnd run_collectives(const Launch& launch, const std::vector<std::string>& arguments,
                       const std::function<void(const Line&)>& take) {
  Job job(launch, arguments);
  const launch::End end = job.wait(take);
  if (job.failure())
    std::rethrow_exception(job.failure());
  if (!job.done() && job.signal() == 0)
    throw Error(ErrorKind::hardware,
                fmt::format("'{}' has ended with exit code {} before it had done all",
                            fmt::join(launch.launcher, " "), end.exit_code),
                "what it says above");
  return {.done = job.done(), .signal = job.signal()};
}

Hello greet(const Launch& launch) {
  Hello hello;
  const JobEnd end = run_collectives(launch, {"greet"}, [&](const Line& line) {
    if (const auto* const said = std::get_if<Hello>(&line))
      hello = *said;
  });
  if (!end.done)
    throw Error(ErrorKind::config, "interrupted; nothing has been done");
  if (hello.library != collective::name_of(launch.library))
    throw Error(ErrorKind::hardware, "the job has not said which MPI library it uses");
  if (hello.processes < 2)
    refuse_one_process();
  if (hello.processes % hello.nodes != 0)
    throw Error(ErrorKind::config,
                fmt::format("{} processes are not spread evenly over {} nodes", hello.processes,
                            hello.nodes),
                "a multiple of the number of nodes");
  return hello;
}

Hello part_of(const Hello& job, std::size_t processes_per_node) {
  if (processes_per_node > job.processes_per_node())
    throw Error(ErrorKind::config,
                fmt::format("{} processes are to take part on each node, and the job has {} there",
                            processes_per_node, job.processes_per_node()),
                fmt::format("mpirun -n {}, or more", processes_per_node * job.nodes));
  Hello part = job;
  part.processes = processes_per_node * job.nodes;
  if (part.processes < 2)
    refuse_one_process();
  return part;
}

} // namespace hypermile::tune
