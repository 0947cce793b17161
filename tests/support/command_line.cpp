#include "support/command_line.hpp"

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

} // namespace

CommandResult run_hypermile(const std::vector<std::string>& arguments, const std::string& input) {
  Stream in;
  Stream out;
  Stream err;
  in.write(input);
  std::vector<std::string> words{HYPERMILE_COMMAND};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    dup2(in.descriptor(), STDIN_FILENO);
    dup2(out.descriptor(), STDOUT_FILENO);
    dup2(err.descriptor(), STDERR_FILENO);
    execv(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child)
    throw std::runtime_error("cannot run hypermile");
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), out.read(), err.read()};
}

} // namespace hypermile::test
