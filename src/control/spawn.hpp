#pragma once

#include <csignal>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/types.h>
#include <unistd.h>

namespace hypermile::control {

/// Names and values of environment variables.
using Variables = std::vector<std::pair<std::string, std::string>>;

/// Our environment as a list of NAME=value, in which these variables replace ours of the same name.
/// Of ours, those whose names begin with `hidden` are left out, unless it is empty.
/// Our own environment stays as it is.
std::vector<std::string> environment_with(const Variables& variables, std::string_view hidden = {});

/// The first file of that name in the folders of `path` (as PATH lists them) for which access()
/// grants `mode`. A name with a '/' is a path already. Empty: there is none.
std::string find_program(const std::string& name, const std::string& path, int mode = X_OK);

/// A program to be started.
struct Spawn {
  static constexpr int ours = -1;    ///< the program keeps what we have at this number
  static constexpr int nothing = -2; ///< /dev/null

  enum class Place {
    our_group, ///< signals of the terminal reach it
    own_group, ///< a process group of its own
    apart ///< a session of its own, in the folder /, and it is nobody's child: no wait() and no
          ///< SIGCHLD tells of it. It has no descriptor but `descriptors`
  };

  std::vector<std::string> arguments; ///< the program first; see find_program()
  std::vector<std::string> environment{};
  std::vector<int> descriptors{}; ///< which of our descriptors become its 0, 1, 2, ...
  Place place = Place::our_group;
  std::optional<sigset_t> blocked{}; ///< signals; none: those that we block
  bool dies_with_us = false;         ///< it is killed when the calling thread ends
  std::string folder{};              ///< in which it begins, unless `apart`; empty: ours
};

/// Starts it. Descriptors that are close-on-exec do not reach it, handlers of signals are reset,
/// and SIGPIPE has its default action. A text file without "#!" is run by /bin/sh. Nothing of
/// this process changes, and no handler of pthread_atfork() runs.
/// Throws FileError with the reason: ENOENT, EACCES, ETXTBSY, ENOEXEC, ...
pid_t spawn(const Spawn& program);

/// How a process ended.
struct ProcessEnd {
  int exit_code = 0; ///< as a shell reports it: 128 + number of the signal that killed it
  int signal = 0;    ///< 0: it ended by itself
};
/// `status`: of waitpid().
ProcessEnd end_of(int status);

} // namespace hypermile::control
