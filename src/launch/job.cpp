#include "launch/job.hpp"

#include "control/place.hpp"
#include "control/restore.hpp"
#include "io/temporary_folder.hpp"
#include "io/text_file.hpp"
#include "launch/environment.hpp"
#include "units/error.hpp"

#include <chrono>
#include <filesystem>
#include <memory>
#include <thread>

namespace hypermile::launch {
namespace {

using control::LeftBehind;

/// The file in which rank 0 of a job leaves its report, if it runs on this node. Rank 0 writes only
/// to a file that exists. Goes away with this object.
class ResultFile {
public:
  /// Throws Error{hardware} if none can be made in TMPDIR or /tmp.
  ResultFile() { io::write_text_file(path_, ""); }

  [[nodiscard]] const std::string& path() const { return path_; }
  /// Whether the program has called MPI_Init: rank 0 then writes to the file.
  [[nodiscard]] bool has_begun() const { return !io::read_text_file(path_).empty(); }
  /// None: rank 0 has left none. Throws Error{hardware} for what cannot be read.
  [[nodiscard]] std::optional<runtime::RunReport> read() const {
    const std::string text = io::read_text_file(path_);
    if (text.empty() || text == runtime::run_has_begun)
      return std::nullopt;
    return runtime::decode_run({text.begin(), text.end()});
  }

private:
  io::TemporaryFolder folder_{"/tmp"};
  std::string path_ = folder_.path() / "result.json";
};

Seconds since_1970() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return Seconds{std::chrono::duration<double>(now).count()};
}

/// The job that sets the node's gears began after ours did. Most likely it is ours: its processes
/// may take a moment to end after mpirun.
bool still_ends(const LeftBehind& left, Seconds begin) {
  constexpr double whole_second = 1;
  return left.what == LeftBehind::What::in_use && left.owner &&
         static_cast<double>(left.owner->since) >= begin.value() - whole_second;
}

void wait_until_restored(Seconds begin, const Remark& remark) {
  const control::Place place = control::this_place();
  std::error_code ignored;
  if (!std::filesystem::exists(control::journal_path(place), ignored))
    return;
  constexpr auto step = std::chrono::milliseconds(20);
  constexpr int most_steps = 250;
  try {
    LeftBehind left = control::restore_left_behind(place);
    for (int i = 0; i < most_steps && still_ends(left, begin); ++i) {
      std::this_thread::sleep_for(step);
      left = control::restore_left_behind(place);
    }
    for (const auto& failure : left.restored.failed)
      remark(failure.what);
  } catch (const Error& error) {
    remark(error.what());
  }
}

/// None where there is no space for one: then rank 0 prints its report itself.
std::unique_ptr<const ResultFile> make_result_file(const Remark& remark) {
  try {
    return std::make_unique<const ResultFile>();
  } catch (const Error& error) {
    remark(error.what());
    return nullptr;
  }
}

} // namespace

Ended run_job(const std::vector<std::string>& command, runtime::Settings settings,
              const std::string& library, const runtime::Environment& environment,
              const Remark& remark) {
  const auto result = make_result_file(remark);
  settings.result_file = result ? result->path() : "";
  Ended ended;
  ended.begin = since_1970();
  ended.end = run(with_hypermile(command, settings, library, environment));
  ended.until = since_1970();
  wait_until_restored(ended.begin, remark);
  try {
    ended.begun = result && result->has_begun();
    if (result)
      ended.report = result->read();
  } catch (const Error& error) { // the job's own end is what counts
    remark(error.what());
  }
  return ended;
}

} // namespace hypermile::launch
