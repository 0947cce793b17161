#pragma once

#include "model/problem.hpp"

#include <pybind11/pybind11.h>

namespace hypermile::python {

/// Makes every hypermile::Error the exception hypermile.Error.
void bind_errors();

void bind_platforms(pybind11::module_& module);
void bind_problems(pybind11::module_& module);
void bind_timelines(pybind11::module_& module);
void bind_forecasts(pybind11::module_& module);

/// Time, energy and their ratios to gear 0, as a dictionary.
[[nodiscard]] pybind11::dict dictionary(const model::Prediction& prediction);

} // namespace hypermile::python
