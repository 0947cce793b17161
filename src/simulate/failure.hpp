#pragma once

#include "runtime/status.hpp"
#include "simulate/process.hpp"
#include "units/error.hpp"

#include <string>

namespace hypermile::simulate {

/// Throws Error{config} unless the file is a program built for SMPI, telling how to build one.
void check_program(const std::string& program);

/// A program that did not end well. Its exit code is what hypermile's should be.
class ProgramFailed : public Error {
public:
  ProgramFailed(const std::string& what, int exit_code)
      : Error(ErrorKind::config, what), exit_code_(exit_code) {}
  [[nodiscard]] int exit_code() const { return exit_code_; }

private:
  int exit_code_;
};

/// Why a simulation failed: which rank did what, from the status that the ranks left, and the
/// last lines that the program wrote to `output`.
ProgramFailed explain_failure(const std::string& run, const Process::End& end,
                              const runtime::StatusFile& status, const std::string& output);

} // namespace hypermile::simulate
