#pragma once

#include "backend/process/record.hpp"

namespace hypermile::backend::process {

/// Leaves a program as it was found, for a supervisor that was killed: its threads may run where
/// they could before, and go on if they are stopped. Threads that are not in `found` get the CPUs
/// of the first thread of their process, or of the process that started it; where that is not known
/// either, of the first thread that is.
void leave_as_found(ProcessTree& tree, const Found& found);

} // namespace hypermile::backend::process
