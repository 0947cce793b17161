#pragma once

#include "study/prediction_errors.hpp"
#include "study/published.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermile::study {

/// A line of a comparison: what a paper printed, or what was simulated.
struct ComparedLine {
  std::string method;           ///< name in the paper, or of `hypermile simulate`
  bool published = false;       ///< by the paper
  std::optional<Effect> effect; ///< none: it was not simulated
};

/// A program of a table, here and there. Either all programs of a table have the same lines, or
/// none has any, and predictions are checked.
struct ComparedProgram {
  PublishedProgram published;
  bool at_hand = false; ///< else there is no such program here
  Outcome::Status status = Outcome::Status::missing;
  std::string reason{};          ///< why it failed
  std::optional<Run> unscaled{}; ///< none unless it is done
  std::vector<ComparedLine> lines{};
  std::vector<PredictionErrors> errors{}; ///< of predictions
};

/// A published table beside its reproduction.
struct Comparison {
  PublishedTable table;
  std::string class_name; ///< of the programs as simulated
  std::vector<ComparedProgram> programs;

  /// How many programs are done, and over these the means of the lines, and the errors of
  /// predictions; none if no program is done.
  [[nodiscard]] std::size_t compared() const;
  [[nodiscard]] std::vector<ComparedLine> means() const;
  [[nodiscard]] std::vector<PredictionErrors> errors() const;
};

/// `outcomes`: of cells_of() with the same commands, in that order.
[[nodiscard]] Comparison compare(const PublishedTable& table, const std::string& class_name,
                                 const Commands& commands, const std::vector<Outcome>& outcomes);

} // namespace hypermile::study
