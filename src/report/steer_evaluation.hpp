#pragma once

#include "steer/evaluate.hpp"

#include <optional>
#include <string>

namespace hypermile::report {

/// What was evaluated, beside the result.
struct EvaluationSubject {
  std::vector<std::string> tables;
  steer::Noise noise;
  std::optional<steer::Evaluation> left_out{}; ///< leave_one_out(); none: it was not made
};

/// The summary as a table, in lines that fit a terminal.
std::string evaluation_text(const EvaluationSubject& subject, const steer::Evaluation& evaluation);
/// hypermile/steer-evaluation/1
std::string evaluation_json(const EvaluationSubject& subject, const steer::Evaluation& evaluation);

} // namespace hypermile::report
