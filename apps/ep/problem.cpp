#include "ep/problem.hpp"

#include "kernels/ep.hpp"

#include <array>
#include <cmath>

namespace apps::ep {
namespace {

constexpr std::array<Problem, problem_classes.size()> problems = {{
    {'S', 24, -3.247834652034740e3, -6.958407078382297e3},
    {'W', 25, -2.863319731645753e3, -6.320053679109499e3},
    {'A', 28, -4.295875165629892e3, -1.580732573678431e4},
    {'B', 30, 4.033815542441498e4, -2.660669192809235e4},
    {'C', 32, 4.764367927995374e4, -8.084072988043731e4},
}};

bool close(double value, double expected) {
  return std::abs((value - expected) / expected) <= Problem::tolerance;
}

} // namespace

std::uint64_t Problem::batches() const {
  return std::uint64_t{1} << (log2_pairs - hypermile::kernels::ep_log2_batch_pairs);
}

bool Problem::verified(double computed_x, double computed_y) const {
  return close(computed_x, sum_x) && close(computed_y, sum_y);
}

double Problem::operations() const { return std::ldexp(2.0, static_cast<int>(log2_pairs)); }

const Problem& problem_of_class(char name) { return problems[problem_classes.find(name)]; }

} // namespace apps::ep
