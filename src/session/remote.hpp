#pragma once

#include "control/descriptor.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace hypermile::session {

/// Where a program that is steered can be told other bounds. It is a socket without a file, so
/// nothing is left behind; who is not the same user, or root, is not heard.
class Remote {
public:
  /// Answers under the numbers of these processes: that which steers and that which is steered.
  /// Where a number has been taken, by whoever, it goes without.
  explicit Remote(const std::vector<pid_t>& processes);

  /// Descriptors that can be read when somebody asks.
  [[nodiscard]] std::vector<int> descriptors() const;

  /// What is answered to a request, e.g. "power=70W".
  using Answer = std::function<std::string(const std::string& request)>;
  /// Answers all who have asked by now. Returns soon, whatever they do.
  void answer(const Answer& answer);

private:
  void accept();

  std::vector<control::Descriptor> sockets_;
  std::vector<control::Descriptor> connections_; ///< that have not said what they want
};

/// Asks the one that steers process `process`, or is that process. None: nobody does. Throws
/// Error{hardware} with the system's reason where nobody answers.
std::optional<std::string> ask(pid_t process, const std::string& request);

} // namespace hypermile::session
