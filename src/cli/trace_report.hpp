#pragma once

#include "trace/traced_run.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace hypermile::cli {

/// A trace that was written.
struct WrittenTrace {
  std::string file;
  std::string format; ///< "chrome" or "otf2"
  std::size_t calls = 0;
  std::uint64_t bytes = 0;
};
[[nodiscard]] std::string print_written_trace(const WrittenTrace& trace,
                                              std::span<const trace::TracedRun> runs,
                                              const trace::Window& window);
/// JSON, schema `hypermile/trace-export/1` (docs/traces.md).
[[nodiscard]] std::string written_trace_json(const WrittenTrace& trace,
                                             std::span<const trace::TracedRun> runs,
                                             const trace::Window& window);

/// A trace that was read as a recorded run.
struct ReadTrace {
  std::string trace; ///< its anchor file
  std::string file;  ///< the recorded run
  std::size_t ranks = 0;
  std::string platform; ///< empty: nobody said where the ranks ran
  const model::Timeline* timeline = nullptr;
  std::vector<std::string> remarks{}; ///< what is otherwise than in the trace, without a full stop
};
[[nodiscard]] std::string print_read_trace(const ReadTrace& trace);
/// JSON, schema `hypermile/trace-import/1` (docs/traces.md).
[[nodiscard]] std::string read_trace_json(const ReadTrace& trace);

} // namespace hypermile::cli
