// The extension under the Python package `hypermile` (python/hypermile), which is what users see.
#include "python/bindings.hpp"

PYBIND11_MODULE(_hypermile, module) {
  module.doc() = "What the package hypermile takes from hypermile's libraries. Use that package.";
  module.attr("version") = HYPERMILE_VERSION;
  hypermile::python::bind_errors();
  hypermile::python::bind_platforms(module);
  hypermile::python::bind_problems(module);
  hypermile::python::bind_timelines(module);
  hypermile::python::bind_forecasts(module);
}
