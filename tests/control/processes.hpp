#pragma once

#include "control/process_stat.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <csignal>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hypermile::test {

/// Waits for what another process is about to do. False: it does not happen.
inline bool comes_true(const std::function<bool()>& condition) {
  constexpr int most_rounds = 6000;
  for (int i = 0; i < most_rounds; ++i) {
    if (condition())
      return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

/// The guards that look after this root.
inline std::vector<pid_t> guards_of(const std::string& root) {
  std::vector<pid_t> guards;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::string line;
    std::getline(std::ifstream(entry.path() / "cmdline"), line);
    if (line.find("hypermile-guard") != line.npos && line.ends_with(root + '\0'))
      guards.push_back(static_cast<pid_t>(std::stol(entry.path().filename().string())));
  }
  return guards;
}

/// Kills them, and returns when they have ended, with all their files closed.
inline void kill_guards_of(const std::string& root) {
  for (const pid_t guard : guards_of(root)) {
    ::kill(guard, SIGKILL);
    EXPECT_TRUE(comes_true([&] {
      const auto process = control::process_stat(guard);
      return !process || !control::is_running(*process);
    }));
  }
}

/// A process that does `work`, says so, and then waits until it is killed.
class Child {
public:
  explicit Child(const std::function<void()>& work) {
    int channel[2] = {-1, -1};
    EXPECT_EQ(::pipe(channel), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL); // where the test is killed
      ::close(channel[0]);
      work();
      EXPECT_EQ(::write(channel[1], "x", 1), 1);
      ::close(channel[1]);
      for (;;)
        ::pause();
    }
    ::close(channel[1]);
    char done = 0;
    EXPECT_EQ(::read(channel[0], &done, 1), 1) << "it ended before";
    ::close(channel[0]);
  }
  ~Child() { end_by(SIGKILL); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Returns when it has ended, with its status.
  int end_by(int signal) {
    int status = 0;
    if (pid_ > 0) {
      ::kill(pid_, signal);
      ::waitpid(pid_, &status, 0);
    }
    pid_ = -1;
    return status;
  }

  [[nodiscard]] pid_t pid() const { return pid_; }

private:
  pid_t pid_ = -1;
};

} // namespace hypermile::test
