#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hypermile::backend::progress {

/// A program that we started, with pipes to its standard input and output.
class Program {
public:
  using Environment = std::map<std::string, std::string>;

  Program(const std::vector<std::string>& command, const Environment& environment) {
    int in[2] = {-1, -1};
    int out[2] = {-1, -1};
    EXPECT_EQ(::pipe2(in, O_CLOEXEC), 0);
    EXPECT_EQ(::pipe2(out, O_CLOEXEC), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL); // whatever becomes of the test
      ::dup2(in[0], STDIN_FILENO);
      ::dup2(out[1], STDOUT_FILENO);
      for (const auto& [name, value] : environment)
        ::setenv(name.c_str(), value.c_str(), 1);
      std::vector<char*> words;
      for (const std::string& word : command)
        words.push_back(const_cast<char*>(word.c_str()));
      words.push_back(nullptr);
      ::execv(words[0], words.data());
      ::_exit(127);
    }
    ::close(in[0]);
    ::close(out[1]);
    in_ = in[1];
    out_ = out[0];
  }
  ~Program() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    ::close(in_);
    ::close(out_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// What it writes next, up to and with `last`. Less if it ends.
  std::string read_to(char last) {
    std::string text;
    for (char next = 0; ::read(out_, &next, 1) == 1;)
      if (text += next; next == last)
        break;
    return text;
  }
  /// Until the program has come to its next "meet".
  void meet() { EXPECT_EQ(read_to('x'), "x"); }
  /// Lets it go on from there.
  void go_on() { EXPECT_EQ(::write(in_, "g", 1), 1); }
  void meet_again() {
    go_on();
    meet();
  }
  /// Returns its exit code when it has ended.
  int end() {
    int status = 0;
    EXPECT_EQ(::waitpid(pid_, &status, 0), pid_);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  [[nodiscard]] pid_t pid() const { return pid_; }

private:
  pid_t pid_ = -1;
  int in_ = -1;
  int out_ = -1;
};

} // namespace hypermile::backend::progress
