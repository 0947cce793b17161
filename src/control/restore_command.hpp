#pragma once

#include "control/journal.hpp"

#include <string>
#include <vector>

namespace hypermile::control {

// A command in a journal, which takes back what other commands have set:
//
//     was command /usr/bin/sudo -n set-gear 2400000 0-3
//
// It is run only out of a journal that belongs to whoever runs it; nobody else may write to that
// (see JournalFile). So root never runs what another user wrote.

/// `words`: the program first, as an absolute path. Throws Error{config} for words that cannot be
/// part of a journal.
Entry command_entry(const std::vector<std::string>& words);

bool is_command(const Entry& entry);

} // namespace hypermile::control
