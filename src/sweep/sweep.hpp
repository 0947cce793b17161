#pragma once

#include "study/outcome.hpp"
#include "sweep/fingerprint.hpp"
#include "sweep/results_folder.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace hypermile::sweep {

/// What is to be done with the cells of a study.
struct Request {
  std::string command;      ///< hypermile itself
  std::string study_folder; ///< where the cells begin
  std::size_t jobs = 1;     ///< cells at a time, at least 1
  bool retry_failed = false;
};

/// Told about what goes on, as a line of text without its end.
struct Listener {
  std::function<void(const std::string&)> step;   ///< something began or ended
  std::function<void(const std::string&)> status; ///< replaces the last status
};

/// The cells with their fingerprints.
[[nodiscard]] std::vector<Place> places_of(const std::vector<study::Cell>& cells,
                                           const Surroundings& surroundings);

/// What the folder knows of the cells, one outcome for each.
[[nodiscard]] std::vector<study::Outcome> collect(const std::vector<Place>& places,
                                                  const ResultsFolder& folder);

/// Simulates the cells of which the folder knows nothing, and where `retry_failed` those that
/// failed. Each is a `hypermile simulate` of its own, and its outcome is kept as soon as it has
/// ended, also if it failed. What cells compute is recorded first, once for all that share it and
/// with nothing beside; cells in other processes wait for that. Returns the outcomes of all cells;
/// missing where somebody else ended the simulation by a signal. Throws simulate::Interrupted on
/// SIGINT and the like, when nothing is running any more; Error{hardware} where an outcome cannot
/// be kept.
std::vector<study::Outcome> run(const std::vector<Place>& places, const ResultsFolder& folder,
                                const Request& request, const Listener& listener);

} // namespace hypermile::sweep
