#pragma once

#include "model/dependency/protocol.hpp"

namespace hypermile::backend::simgrid {

/// How SMPI moves messages, as it is configured.
model::dependency::Protocol describe_protocol();

} // namespace hypermile::backend::simgrid
