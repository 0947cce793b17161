#pragma once

#include "model/timeline.hpp"

#include <string>
#include <string_view>

namespace hypermile::io {

/// A timeline as text, schema `hypermile/timeline/1`, which docs/simulation.md describes. Times
/// are printed such that they read back to the last bit.
std::string print_timeline(const model::Timeline& timeline);

/// Reads what print_timeline() writes; the functions are those that occur, in that order. `file`
/// is used in messages only. Throws Error{config} with file and line for anything else: also for
/// events that cannot be, such as one that completes what is no send, receive or arrival.
model::Timeline parse_timeline(std::string_view text, const std::string& file);

} // namespace hypermile::io
