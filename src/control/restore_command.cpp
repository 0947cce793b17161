#include "control/restore_command.hpp"

#include "units/error.hpp"
#include "units/words.hpp"

namespace hypermile::control {
namespace {

constexpr const char* kind = "command"; ///< in place of the value of a file

} // namespace

Entry command_entry(const std::vector<std::string>& words) {
  Entry entry{join_words(words), kind};
  constexpr std::size_t longest = 3000; // that the guard is told in one piece
  if (!can_be_journaled(entry) || entry.path.size() > longest)
    throw Error(ErrorKind::config, "the command '" + entry.path + "' cannot be kept in a journal",
                "a shorter one without control characters, or a script");
  return entry;
}

bool is_command(const Entry& entry) { return entry.value == kind; }

} // namespace hypermile::control
