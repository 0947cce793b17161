#pragma once

#include <stdexcept>
#include <string>

namespace hypermile {

/// What went wrong, as far as the caller (and the exit code) must tell it apart.
enum class ErrorKind {
  config,      ///< input that a user wrote: a file, an option, an environment variable
  model,       ///< data that no model can use, e.g. a workload without computation
  unsupported, ///< this machine or build cannot do it
  hardware     ///< a device or system call failed
};

/// An error that a user can act on. `what()` reads
/// "<what went wrong, and where>; try: <what to do>" (the second half only where there is one).
class Error : public std::runtime_error {
public:
  Error(ErrorKind kind, const std::string& what, const std::string& advice = "");
  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

private:
  ErrorKind kind_;
};

/// Exit codes of every command.
enum class ExitCode : int {
  success = 0,
  failure = 1,
  usage = 2,
  infeasible = 3,   ///< no plan meets the bounds
  not_permitted = 4 ///< the machine refuses what was asked for
};

} // namespace hypermile
