#include "launch/job.hpp"

#include "control/place.hpp"
#include "control/restore.hpp"
#include "launch/environment.hpp"
#include "runtime/exchange/report_box.hpp"
#include "units/error.hpp"

#include <chrono>
#include <filesystem>
#include <memory>
#include <thread>

namespace hypermile::launch {
namespace {

using control::LeftBehind;

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
std::unique_ptr<const runtime::ReportBox> make_box(const Remark& remark) {
  try {
    return std::make_unique<const runtime::ReportBox>();
  } catch (const Error& error) {
    remark(error.what());
    return nullptr;
  }
}

/// Throws Error{hardware} for what cannot be read.
void read_box(const runtime::ReportBox& box, Ended& ended) {
  const std::string text = box.content();
  ended.begun = !text.empty();
  ended.reported_elsewhere = text == runtime::reported_elsewhere;
  if (ended.begun && !ended.reported_elsewhere && text != runtime::run_has_begun)
    ended.report = runtime::decode_run(text);
}

} // namespace

Ended run_job(const std::vector<std::string>& command, runtime::Settings settings,
              const std::string& library, const runtime::Environment& environment,
              const Remark& remark, const control::Variables& of_mpi) {
  const auto box = make_box(remark);
  settings.result_file = box ? box->file() : "";
  Ended ended;
  ended.begin = since_1970();
  ended.end = run(with_hypermile(command, settings, library, environment, of_mpi));
  ended.until = since_1970();
  wait_until_restored(ended.begin, remark);
  try {
    if (box)
      read_box(*box, ended);
  } catch (const Error& error) { // the job's own end is what counts
    remark(error.what());
  }
  return ended;
}

} // namespace hypermile::launch
