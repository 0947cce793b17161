#pragma once

#include "control/descriptor.hpp"

#include <optional>
#include <string>

namespace hypermile::control {

/// The messages between owner and guard: packets of a letter and a text.
namespace guard {
/// The descriptors a guard is started with.
enum : int { socket = 3, journal = 4, owner = 5 };
enum Word : char {
  ready = 'y',   ///< guard: from now on whatever is set is restored
  release = 'r', ///< owner: restore everything, then end
  run = 'x',     ///< owner: run the command that follows
  failed = 'f',  ///< guard: this could not be restored, or not be run
  done = 'd'     ///< guard: everything else is done
};
struct Message {
  Word word;
  std::string text;
};
/// False: the other end is gone.
bool send(int socket, const Message& message);
/// None: the other end is gone, or sends nothing within `milliseconds`.
std::optional<Message> receive(int socket, int milliseconds);
/// Whether the other end is gone.
bool is_gone(int socket);
} // namespace guard

/// Starts the guard with all signals blocked and an empty environment, where Spawn::Place::apart
/// says. `journal` is locked. Returns our end of the socket.
/// Throws FileError where the guard cannot be started, Error{hardware} where it does not answer.
Descriptor start_guard(const std::string& program, const std::string& sysfs, int journal);

} // namespace hypermile::control
