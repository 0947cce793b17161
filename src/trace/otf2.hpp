#pragma once

#include "trace/incoming.hpp"
#include "trace/traced_run.hpp"

#include <functional>
#include <string>
#include <vector>

namespace hypermile::trace {

// Traces in the Open Trace Format 2, which Score-P writes. In a build without the library, both
// throw Error{unsupported}.

/// Whether this build reads and writes them.
[[nodiscard]] bool otf2_is_there();

/// Writes a run into a folder that is not there yet, as traces.otf2 and what belongs to it. In a
/// window there are only calls that are inside as a whole, and of messages and collective
/// operations only those that all who take part begin and end inside. Throws Error{hardware} with
/// the library's reason if that cannot be.
void write_otf2(const TraceHead& head, const TracedRun& run, const std::string& folder,
                const Progress& progress = {});

/// A trace as it was read.
struct Otf2Trace {
  std::string program;             ///< as the trace describes itself; may be empty
  std::vector<std::string> nodes;  ///< by rank: where it ran
  std::vector<IncomingRank> ranks; ///< their functions are numbers of runtime::pmpi::Function
  IncomingCommunicators communicators;
  std::size_t other_locations = 0; ///< threads and devices, which are not looked at
  std::size_t flushes = 0;         ///< how often tracing itself took time to write
};

/// How fast the core of each rank is, of so many ranks.
using SpeedsOfRanks = std::function<std::vector<Speed>(std::size_t ranks)>;

/// Reads the trace of this anchor file. Throws Error{config}, which names the file, and the rank
/// and the moment where there is one, for what is no trace, not complete, not of MPI, or cannot be
/// followed.
[[nodiscard]] Otf2Trace read_otf2(const std::string& file, const SpeedsOfRanks& speeds,
                                  const Progress& progress = {});

} // namespace hypermile::trace
