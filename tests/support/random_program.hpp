#pragma once

#include "runtime/loop/loop_watch.hpp"

#include <cstdint>
#include <vector>

namespace hypermile::test {

/// The MPI calls of one rank of a program that consists of a set-up and of an outermost loop.
struct LoopProgram {
  struct Call {
    runtime::LoopWatch::Call call;
    double seconds = 0; ///< that it takes, with the computation before it
  };
  std::vector<Call> calls;
  /// Call that each iteration of the outermost loop begins with; and the number of calls.
  std::vector<std::size_t> begins;
  bool varies = false;     ///< trip counts of inner loops
  bool jitters = false;    ///< calls in either order, polled, in branches, with walking tags
  bool has_extras = false; ///< other calls every so many iterations
  [[nodiscard]] bool is_fixed() const { return !varies && !jitters && !has_extras; }
};

/// A random program: loops nested to depth 5, bodies of 1 to 20,000 calls, iterations of 1 s on
/// average. The same for the same seed, everywhere. As many iterations are there as are asked for.
[[nodiscard]] LoopProgram random_program(std::uint64_t seed, std::size_t iterations);

/// Whether something shorter than the outermost loop explains its first three iterations, so that
/// nobody can tell.
[[nodiscard]] bool is_ambiguous(const LoopProgram& program);

/// What a rank says of its loop after so many iterations, beside the truth.
enum class Verdict : std::uint8_t { right, multiple, inner, none };
/// At the end of each of these iterations, ascending. Right: 0.7 to 1.45 times as long. `start`: of
/// the program, in s on the rank's clock.
[[nodiscard]] std::vector<Verdict> verdicts(const LoopProgram& program,
                                            const std::vector<std::size_t>& after_iterations,
                                            double start = 0);

/// Shares of the programs of one kind.
struct VerdictShares {
  std::size_t programs = 0;
  double right_after_3 = 0, inner_after_3 = 0, right_after_4 = 0, inner_after_4 = 0;
};
struct VerdictTable {
  VerdictShares fixed, varying, jittering, with_extras, all;
};
/// Of the programs of so many seeds that are not ambiguous.
[[nodiscard]] VerdictTable judge_random_programs(std::uint64_t seeds);

} // namespace hypermile::test
