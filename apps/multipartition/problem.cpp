#include "multipartition/problem.hpp"

#include <array>

namespace apps::multipartition {
namespace {

constexpr std::array<Problem, problem_classes.size()> problems = {
    {{'S', 12, 60}, {'W', 24, 200}, {'A', 64, 200}, {'B', 102, 200}, {'C', 162, 200}}};

} // namespace

const Problem& problem_of_class(char name) { return problems.at(problem_classes.find(name)); }

} // namespace apps::multipartition
