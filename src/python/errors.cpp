#include "python/bindings.hpp"

#include "units/error.hpp"

#include <exception>

namespace hypermile::python {
namespace {

const char* name_of(ErrorKind kind) {
  switch (kind) {
  case ErrorKind::config:
    return "config";
  case ErrorKind::model:
    return "model";
  case ErrorKind::unsupported:
    return "unsupported";
  case ErrorKind::hardware:
    break;
  }
  return "hardware";
}

/// The class is Python's own, so that its errors can be pickled.
void translate(std::exception_ptr thrown) {
  try {
    if (thrown)
      std::rethrow_exception(thrown);
  } catch (const Error& error) {
    const pybind11::object type = pybind11::module_::import("hypermile.errors").attr("Error");
    const pybind11::object value = type(error.what(), name_of(error.kind()));
    PyErr_SetObject(type.ptr(), value.ptr());
  }
}

} // namespace

void bind_errors() { pybind11::register_exception_translator(translate); }

} // namespace hypermile::python
