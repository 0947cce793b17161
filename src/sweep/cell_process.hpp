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

/// What came of a process for a cell.
struct CellEnd {
  study::Outcome outcome; ///< of its simulation; missing also after a recording that is kept
  std::string simulation; ///< as JSON; empty unless it is done
  bool recorded = false;  ///< the recording is there now
};

/// The computation of a cell has to be recorded before it is simulated.
[[nodiscard]] bool lacks_recording(const Place& place, const ResultsFolder& results);

/// The recording or the simulation of a cell under way. It ends with this object.
class CellProcess {
public:
  /// Null where somebody else is making the recording, or has made it. All must outlive it. Throws
  /// control::FileError if hypermile cannot be started, or the folder not be written.
  static std::unique_ptr<CellProcess> record(const Place& place, const Request& request,
                                             const ResultsFolder& results);
  /// Of a cell that does not lack its recording. Throws as record().
  static std::unique_ptr<CellProcess> simulate(const Place& place, const Request& request,
                                               const ResultsFolder& results);

  [[nodiscard]] bool records() const { return lock_.has_value(); }
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
