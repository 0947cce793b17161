/// The largest eigenvalue of a dense matrix by the power method. Products and dot products
/// are summed up and given back along a binomial tree, message by message.

#include "common/program.hpp"
#include "tree/binomial_tree.hpp"
#include "tree/matrix.hpp"
#include "tree/power_method.hpp"
#include "tree/problem.hpp"

#include <cmath>
#include <cstdio>

using namespace apps;
using namespace apps::tree;

namespace {

constexpr Syntax syntax{.program = "tree", .classes = problem_classes, .takes_iterations = true};

double timed_iterations(const Problem& problem, PowerMethod& method, bool print) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int iteration = 1; iteration <= problem.iterations; ++iteration) {
    method.iterate();
    if (print)
      std::printf("  iteration %4d  eigenvalue %.14e\n", iteration, method.rayleigh_quotient());
  }
  return largest_of_ranks(MPI_Wtime() - start);
}

Verification verify(const Problem& problem, const Spectrum& spectrum, const PowerMethod& method) {
  const auto exact = spectrum.power_vector(problem.iterations);
  double square = 0.0;
  for (std::size_t i = 0; i < exact.size(); ++i)
    square += (method.vector()[i] - exact[i]) * (method.vector()[i] - exact[i]);
  const double quotient = spectrum.rayleigh_quotient(problem.iterations - 1);
  const double bound = spectrum.rounding_bound(problem.iterations);
  Verification verification;
  verification.at_most("distance from the vector that theory expects of this iteration",
                       std::sqrt(largest_of_ranks(square)), bound);
  verification.at_most("distance from the eigenvalue that it expects",
                       std::abs(method.rayleigh_quotient() - quotient), 3.0 * bound);
  return verification;
}

int run(const Session& session, const CommandLine& line) {
  Problem problem = problem_of_class(line.problem_class.front());
  problem.iterations = line.iterations.value_or(problem.iterations);
  if (session.ranks() > static_cast<int>(problem.order))
    return usage_error(session, syntax.program,
                       "there are more ranks than columns; try: at most " +
                           std::to_string(problem.order));
  if (session.is_root())
    std::printf("tree class %c: order %u, %d iterations, %d ranks\n", problem.name, problem.order,
                problem.iterations, session.ranks());
  const Spectrum spectrum(problem.order);
  const Columns columns(spectrum,
                        part_of({0, problem.order}, static_cast<std::uint32_t>(session.ranks()),
                                static_cast<std::uint32_t>(session.rank())));
  BinomialTree tree(tree_place(session.rank(), session.ranks()));
  PowerMethod method(tree, columns, problem.order);
  method.iterate(); // touches all pages and opens all connections, untimed
  method.restart();

  const double seconds = timed_iterations(problem, method, line.verbose && session.is_root());
  const Verification verification = verify(problem, spectrum, method);
  return finish(session, verification, {"eigenvalue", method.rayleigh_quotient(), seconds});
}

} // namespace

int main(int argc, char** argv) { return run_program(argc, argv, syntax, run); }
