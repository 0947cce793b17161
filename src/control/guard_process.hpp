#pragma once

#include "control/descriptor.hpp"

#include <optional>
#include <string>

namespace hypermile::control {

/// What owner and guard tell each other: packets of a letter and a text.
namespace guard {
/// The descriptors a guard is started with.
enum : int { socket = 3, journal = 4, owner = 5 };
enum Word : char {
  ready = 'y',   ///< guard: from now on whatever is set is restored
  release = 'r', ///< owner: restore everything, then end
  failed = 'f',  ///< guard: what could not be restored
  done = 'd'     ///< guard: it is restored, but for what was told
};
struct Message {
  Word word;
  std::string text;
};
/// False: there is nobody to hear it.
bool send(int socket, const Message& message);
/// None: there is nobody who could say anything, or nothing is said within `milliseconds`.
std::optional<Message> receive(int socket, int milliseconds);
/// Whether the other end is gone.
bool is_gone(int socket);
} // namespace guard

/// Starts the guard: in a session of its own, with all signals blocked, nothing of our environment
/// and no descriptor but these. It is nobody's child that a program could wait for, and no signal
/// is sent when it ends. `journal` is locked. Returns our end of the socket.
/// Throws Error{hardware} where it does not start, FileError where the system does not let it.
Descriptor start_guard(const std::string& program, const std::string& sysfs, int journal);

} // namespace hypermile::control
