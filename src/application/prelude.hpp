#pragma once

namespace hypermile::application {

/// The part of the language that is written in itself: a text that gets the table of host
/// functions, and returns the table of a model's global variables.
extern const char* const prelude;

} // namespace hypermile::application
