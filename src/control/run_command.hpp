#pragma once

#include "units/quantity.hpp"

#include <string>
#include <vector>

namespace hypermile::control {

/// The words of a command line. Blanks separate them; '...' and "..." keep them together, and
/// \ keeps the next character. Nothing else has a meaning: no variable, no *, no ;. Throws
/// Error{config} for quotes that do not end, and where there is no word.
std::vector<std::string> split_words(const std::string& text);

/// What split_words() makes these words of.
std::string join_words(const std::vector<std::string>& words);

/// Runs a program without a shell, with PATH as its only variable, and waits for its end. Throws
/// Error{hardware} with what it said on stderr where its exit code is not 0, where it cannot be
/// started, and where it takes longer than `patience`; it is killed then.
void run_command(const std::vector<std::string>& words, Seconds patience = Seconds{10});

} // namespace hypermile::control
