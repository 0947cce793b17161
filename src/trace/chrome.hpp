#pragma once

#include "trace/traced_run.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

namespace hypermile::trace {

/// Takes the text of a file, piece by piece.
using Sink = std::function<void(std::string_view)>;

/// Writes runs as a trace in Chrome's Trace Event Format, which ui.perfetto.dev opens: a process
/// for each node, a thread for each rank, all times in microseconds with three decimals. Several
/// runs lie side by side, with processes of their own.
void write_chrome(const TraceHead& head, std::span<const TracedRun> runs, const Sink& sink,
                  const Progress& progress = {});

/// About how many bytes that makes, for runs with so many calls in the window.
[[nodiscard]] std::uint64_t estimated_chrome_bytes(std::size_t calls);

} // namespace hypermile::trace
