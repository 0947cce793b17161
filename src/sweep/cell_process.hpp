#pragma once

#include "sweep/results_folder.hpp"
#include "sweep/sweep.hpp"

#include "control/steady_clock.hpp"
#include "io/temporary_folder.hpp"
#include "simulate/process.hpp"

#include <memory>
#include <optional>
#include <string>

namespace hypermile::sweep {

/// What came of the simulation of a cell.
struct CellEnd {
  study::Outcome outcome;
  std::string simulation; ///< as JSON; empty unless it is done
};

/// The simulation of a cell under way. It ends with this object.
class CellProcess {
public:
  /// Begins with the recording of the cell, if there is none yet. Null where somebody else is
  /// making it. All must outlive it. Throws control::FileError if hypermile cannot be started, or
  /// the folder not be written.
  static std::unique_ptr<CellProcess> begin(const Place& place, const Request& request,
                                            const ResultsFolder& results);

  [[nodiscard]] Seconds since() const { return clock_.now(); } ///< its begin
  void ask_to_end() const { process_->ask_to_end(); }

  /// None: it still runs. The outcome is missing where a signal ended it that ends programs in
  /// order: somebody wanted it to end, and nothing is wrong with the cell. Throws Error{hardware}
  /// where a recording cannot be kept.
  std::optional<CellEnd> poll();

private:
  CellProcess(const Place& place, const Request& request, std::string recording,
              std::optional<FileLock> lock);

  void start(std::vector<std::string> arguments);
  void begin_simulation();
  void keep_recording();
  [[nodiscard]] std::string file(const std::string& name) const;
  [[nodiscard]] CellEnd result_of(const simulate::Process::End& end) const;

  const Place& place_;
  const Request& request_;
  std::string recording_;        ///< file; empty: the cell has none
  std::optional<FileLock> lock_; ///< while it makes the recording
  io::TemporaryFolder folder_;   ///< for what it prints, and its own temporary files
  control::SteadyClock clock_;
  std::optional<simulate::Process> process_;
};

} // namespace hypermile::sweep
