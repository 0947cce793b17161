#pragma once

#include "model/timeline.hpp"
#include "units/quantity.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hypermile::replay {

/// All that it takes to repeat what the ranks of a program did: the calls with their arguments, and
/// what was computed between them. Data are not part of it.
struct RecordedRun {
  std::string program;            ///< with its arguments, as somebody would type it
  std::string platform;           ///< its name, or its file; empty: nobody knows how fast nodes are
  std::vector<std::string> nodes; ///< by rank
  std::vector<Speed> speeds;      ///< by rank: of a core in gear 0, in the platform's unit
  model::Timeline timeline;       ///< its computation took place at these speeds
};

/// The speed of a core of which nothing is known: work is then what it took, in nanoseconds.
inline constexpr Speed unknown_speed{1e9};

/// What a file says first, and the rest of it rank by rank: where nobody has the whole run.
struct RunHead {
  std::string program, platform; ///< as RecordedRun's
  std::vector<std::string> nodes;
  std::vector<Speed> speeds;
  std::vector<std::string> functions;
};
[[nodiscard]] std::string print_head(const RunHead& head);
[[nodiscard]] std::string print_rank(const model::RankTimeline& rank,
                                     const std::vector<std::string>& functions);

/// As the bytes of a file: compressed, with checksums.
[[nodiscard]] std::string print_recorded_run(const RecordedRun& run);
/// The same back. Throws Error{config}, which names `file`, for anything else.
[[nodiscard]] RecordedRun parse_recorded_run(std::string_view bytes, const std::string& file);
[[nodiscard]] RecordedRun read_recorded_run(const std::string& file);
/// Whether the file begins as one, of whatever version; false where it cannot be read.
[[nodiscard]] bool is_recorded_run(const std::string& file);

/// What of it cannot be repeated, with the MPI function; empty: all can.
[[nodiscard]] std::string why_not_repeatable(const RecordedRun& run);
/// What will be another thing in the repetition than in the run, a sentence each: how a program
/// that polls, or takes messages from whoever comes first, would have gone on elsewhere is not
/// recorded.
[[nodiscard]] std::vector<std::string> remarks(const RecordedRun& run);

} // namespace hypermile::replay
