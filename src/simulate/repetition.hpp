#pragma once

#include "simulate/experiment.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hypermile::simulate {

/// A recorded run as what is simulated.
struct Repetition {
  Experiment experiment;            ///< its program is the one that repeats the run
  std::string program;              ///< that the run was of
  std::vector<std::string> remarks; ///< what cannot be repeated as it was; sentences
};

/// The program that repeats a recorded run, and its argument.
[[nodiscard]] std::vector<std::string> repeating(const std::string& recording,
                                                 const Installation& installation);

/// Of `experiment.replayed`. Throws Error{config} for a file that is no recorded run, one that
/// cannot be repeated, or another number of ranks than it has.
[[nodiscard]] Repetition repetition_of(const Experiment& experiment,
                                       const Installation& installation);

/// What became of a recording.
struct RecordingFile {
  std::string file;
  std::size_t events = 0; ///< of all ranks
  std::uintmax_t bytes = 0;
  std::string not_repeatable;       ///< why; empty: it is
  std::vector<std::string> remarks; ///< as Repetition's
};
/// Throws Error{config} for a file that is none.
[[nodiscard]] RecordingFile look_at_recording(const std::string& file);

} // namespace hypermile::simulate
