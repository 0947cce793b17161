/// A diffusion equation by 3-D Fourier transforms, after the NAS FT specification. Each transform
/// has one transpose over all ranks.

#include "common/program.hpp"
#include "ft/box_transform.hpp"
#include "ft/problem.hpp"
#include "ft/spectrum.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <string>
#include <vector>

using namespace apps;
using namespace apps::ft;

namespace {

constexpr Syntax syntax{.program = "ft", .classes = problem_classes};

/// The field and its motion; this rank has a slab.
class Diffusion {
public:
  Diffusion(const Problem& problem, const Session& session)
      : problem_(problem), transform_(problem, static_cast<std::uint32_t>(session.rank()),
                                      static_cast<std::uint32_t>(session.ranks())),
        decay_(problem), spectrum_(transform_.size()), field_(transform_.size()) {}

  void start() {
    fill_randomly(problem_, transform_.planes(), spectrum_);
    transform_.forward(spectrum_);
  }

  void step() {
    decay_.apply(spectrum_, transform_.rows());
    std::ranges::copy(spectrum_, field_.begin());
    transform_.inverse(field_);
  }

  /// Of all ranks, on rank 0.
  Complex checksum() {
    const Complex mine = local_checksum(problem_, transform_.planes(), field_);
    Complex sum = 0.0;
    MPI_Reduce(&mine, &sum, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    return sum;
  }

private:
  const Problem& problem_;
  BoxTransform transform_;
  Decay decay_;
  std::vector<Complex> spectrum_;
  std::vector<Complex> field_;
};

struct Results {
  double distance = 0.0; ///< the largest from a published checksum
  Complex last = 0.0;
  double seconds = 0.0;
};

Results timed_iterations(const Problem& problem, Diffusion& diffusion, bool print) {
  Results results;
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  diffusion.start();
  for (int iteration = 1; iteration <= problem.iterations(); ++iteration) {
    diffusion.step();
    results.last = diffusion.checksum();
    results.distance = larger(results.distance, problem.distance(iteration, results.last));
    if (print)
      std::printf("  iteration %2d  checksum %.12e %.12e\n", iteration, results.last.real(),
                  results.last.imag());
  }
  results.seconds = largest_of_ranks(MPI_Wtime() - start);
  MPI_Bcast(&results.distance, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); // all come to one verdict
  return results;
}

int run(const Session& session, const CommandLine& line) {
  const Problem& problem = problem_of_class(line.problem_class.front());
  const auto ranks = static_cast<std::uint32_t>(session.ranks());
  const std::uint32_t most = std::min(problem.ny, problem.nz);
  if (!std::has_single_bit(ranks) || ranks > most)
    return usage_error(session, syntax.program,
                       "the ranks cannot share the box; try: a power of two, at most " +
                           std::to_string(most));
  if (session.is_root())
    std::printf("ft class %c: %u x %u x %u points, %d iterations, %u ranks\n", problem.name,
                problem.nx, problem.ny, problem.nz, problem.iterations(), ranks);
  Diffusion diffusion(problem, session);
  diffusion.start(); // touches all pages and opens all connections, untimed
  const Results results = timed_iterations(problem, diffusion, line.verbose && session.is_root());
  Verification verification;
  verification.at_most("relative distance from the published checksums", results.distance,
                       Problem::tolerance);
  return finish(session, verification,
                {"last checksum, real part", results.last.real(), results.seconds});
}

} // namespace

int main(int argc, char** argv) { return run_program(argc, argv, syntax, run); }
