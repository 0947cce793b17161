#pragma once

#include "model/dependency/schedule.hpp"
#include "model/timeline.hpp"

#include <pybind11/pybind11.h>

namespace hypermile::python {

/// The MPI calls of all ranks, rank by rank, as columns: a list of names, or the bytes of an array
/// of 8-byte numbers. Without a schedule nobody knows when a call was entered and left.
[[nodiscard]] pybind11::dict call_columns(const model::Timeline& timeline,
                                          const model::dependency::Schedule* schedule);

} // namespace hypermile::python
