#pragma once

#include "control/backend.hpp"

#include <string>

namespace hypermile::doctor {

/// Where the doctor looks. Tests and the variables of docs/doctor.md put other folders in place of
/// the machine's.
struct Places {
  control::Place node;
  std::string root;      ///< before "/proc", "/run" and the like; empty: the machine's own
  std::string path;      ///< folders of programs, as in PATH
  std::string libraries; ///< lib/hypermile of this installation
  std::string programs;  ///< libexec/hypermile of this installation
  decltype(control::Access::options) options{}; ///< of the backends
};

} // namespace hypermile::doctor
