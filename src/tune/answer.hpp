#pragma once

#include "collective/gain.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermile::tune {

/// What a calibration answers to one question.
struct Answer {
  collective::Question question;
  std::vector<collective::Estimate> estimates;
  std::optional<collective::Choice> choice; ///< none: nothing was to be chosen
  /// Of the choice; none: it was not measured.
  std::optional<collective::Gain> gain;
  /// That the choice costs less than what the library takes by itself: a lower bound.
  double probability_less_than_library = 0;
  bool beats_library = false; ///< that is enough to take the choice where it is undecided
};

/// One answer for each size, in their order. `aim`: none, where nothing is to be chosen.
[[nodiscard]] std::vector<Answer> answers(const collective::Calibration& calibration,
                                          const collective::Model& model,
                                          const collective::Question& question,
                                          const std::vector<std::size_t>& sizes_b,
                                          const std::optional<collective::Aim>& aim);

/// Tables of estimates, fastest first.
[[nodiscard]] std::string print_estimates(const collective::Calibration& calibration,
                                          const std::vector<Answer>& answers);
/// hypermile/collective-estimate/1, with `choice` where there is one.
[[nodiscard]] std::string answers_json(const collective::Calibration& calibration,
                                       const std::vector<Answer>& answers);
/// One line for each size.
[[nodiscard]] std::string print_choices(const collective::Calibration& calibration,
                                        const std::vector<Answer>& answers);

} // namespace hypermile::tune
