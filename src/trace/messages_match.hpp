#pragma once

#include "model/timeline.hpp"

namespace hypermile::trace {

/// Throws Error{config} unless every message that is sent is received, with as many bytes.
void check_messages(const model::Timeline& timeline);

} // namespace hypermile::trace
