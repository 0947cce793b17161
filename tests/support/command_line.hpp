#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

namespace hypermile::test {

struct CommandResult {
  int exit_code; ///< as a shell reports it
  std::string out;
  std::string err;
};

/// The hypermile of this build, running with these arguments, standard input, and environment
/// beside ours.
class RunningCommand {
public:
  explicit RunningCommand(const std::vector<std::string>& arguments, const std::string& input = "",
                          const std::map<std::string, std::string>& environment = {});
  /// A line for the shell instead, in which $HYPERMILE is the command.
  static RunningCommand shell(const std::string& line,
                              const std::map<std::string, std::string>& environment = {});
  ~RunningCommand();
  RunningCommand(const RunningCommand&) = delete;
  RunningCommand& operator=(const RunningCommand&) = delete;

  [[nodiscard]] pid_t pid() const { return child_; }
  void signal(int number) const;
  /// Waits for its end.
  CommandResult wait();

private:
  struct Streams;
  struct Words; ///< the program and its arguments
  RunningCommand(const Words& words, const std::string& input,
                 const std::map<std::string, std::string>& environment);

  std::unique_ptr<Streams> streams_;
  pid_t child_;
};

/// Runs it to its end.
CommandResult run_hypermile(const std::vector<std::string>& arguments,
                            const std::string& input = "");

} // namespace hypermile::test
