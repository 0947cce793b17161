#pragma once

#include "common/command_line.hpp"
#include "common/session.hpp"
#include "common/verification.hpp"

#include <string>
#include <string_view>

namespace apps {

/// What each of our programs computes; the result is its exit code, the same on every rank.
using Run = int(const Session& session, const CommandLine& line);

/// main() of our programs: reads the command line, answers --help, refuses what makes no
/// sense, and runs the rest between MPI_Init and MPI_Finalize.
int run_program(int argc, char** argv, const Syntax& syntax, Run* run);

/// Says on rank 0 what is wrong with the arguments or the number of ranks; returns 2.
int usage_error(const Session& session, std::string_view program, const std::string& what);

/// What a program ends with.
struct Outcome {
  std::string_view what; ///< e.g. "residual norm"
  double result;         ///< its value on rank 0: the same for any number of ranks, to rounding
  double seconds;        ///< what the iterations took
};

/// Prints the verdict and the outcome on rank 0; returns the exit code.
int finish(const Session& session, const Verification& verification, const Outcome& outcome);

} // namespace apps
