#include "support/command_line.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hypermile::test {
namespace {

/// A file without a name that the child reads or writes: unlike pipes it cannot block either.
class Stream {
public:
  Stream() : file_(std::tmpfile()) {
    if (file_ == nullptr)
      throw std::runtime_error("no temporary file");
  }
  ~Stream() { std::fclose(file_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  [[nodiscard]] int descriptor() const { return fileno(file_); }
  void write(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), file_);
    std::rewind(file_);
  }
  std::string read() {
    std::rewind(file_);
    std::string text;
    char block[4096];
    while (const std::size_t count = std::fread(block, 1, sizeof block, file_))
      text.append(block, count);
    return text;
  }

private:
  std::FILE* file_;
};

std::vector<std::string> after_command(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{HYPERMILE_COMMAND};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

} // namespace

struct RunningCommand::Streams {
  Stream in;
  Stream out;
  Stream err;
};

struct RunningCommand::Words {
  std::vector<std::string> all;
};

RunningCommand::RunningCommand(const std::vector<std::string>& arguments, const std::string& input,
                               const std::map<std::string, std::string>& environment)
    : RunningCommand(Words{after_command(arguments)}, input, environment) {}

RunningCommand RunningCommand::shell(const std::string& line,
                                     const std::map<std::string, std::string>& environment) {
  auto with_command = environment;
  with_command["HYPERMILE"] = HYPERMILE_COMMAND;
  return RunningCommand(Words{{"/bin/sh", "-c", line}}, "", with_command);
}

RunningCommand::RunningCommand(const Words& given, const std::string& input,
                               const std::map<std::string, std::string>& environment)
    : streams_(std::make_unique<Streams>()) {
  streams_->in.write(input);
  std::vector<std::string> words = given.all;
  std::vector<char*> argv;
  for (std::string& word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  child_ = fork();
  if (child_ == 0) {
    for (const int ignored : {SIGINT, SIGHUP, SIGPIPE}) // perhaps, by what runs the tests
      std::signal(ignored, SIG_DFL);
    for (const auto& [name, value] : environment)
      setenv(name.c_str(), value.c_str(), 1);
    dup2(streams_->in.descriptor(), STDIN_FILENO);
    dup2(streams_->out.descriptor(), STDOUT_FILENO);
    dup2(streams_->err.descriptor(), STDERR_FILENO);
    execv(argv[0], argv.data());
    _exit(127);
  }
  if (child_ < 0)
    throw std::runtime_error("cannot run hypermile");
}

RunningCommand::~RunningCommand() {
  if (child_ <= 0)
    return;
  kill(child_, SIGKILL);
  waitpid(child_, nullptr, 0);
}

void RunningCommand::signal(int number) const { kill(child_, number); }

CommandResult RunningCommand::wait() {
  int status = 0;
  if (waitpid(child_, &status, 0) != child_)
    throw std::runtime_error("cannot wait for hypermile");
  child_ = 0;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), streams_->out.read(),
          streams_->err.read()};
}

CommandResult run_hypermile(const std::vector<std::string>& arguments, const std::string& input) {
  return RunningCommand(arguments, input).wait();
}

} // namespace hypermile::test
