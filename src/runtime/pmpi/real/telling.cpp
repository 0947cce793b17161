#include "runtime/pmpi/real/telling.hpp"

#include "accounting/append.hpp"
#include "accounting/place_pattern.hpp"
#include "report/job_accounting.hpp"
#include "report/job_folder.hpp"
#include "report/job_text.hpp"
#include "report/verdict.hpp"
#include "runtime/exchange/report_box.hpp"
#include "units/error.hpp"
#include "units/wrapped.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>

#include <unistd.h>

namespace hypermile::runtime::pmpi {
namespace {

std::string setting(const char* variable) { return own_environment(variable).value_or(""); }

/// Whether it was done; if not, it is told why.
template <class Doing> bool done(const Doing& doing) {
  try {
    doing();
    return true;
  } catch (const std::exception& error) {
    fmt::print(stderr, "hypermile: warning: {}\n", error.what());
    return false;
  }
}

/// The name of a file or folder of this step.
std::string of_step(const std::string& pattern, const report::Job& job) {
  const std::string node = job.run.ranks.empty() ? "" : job.run.ranks.front().node.name;
  return accounting::put_in(pattern, accounting::step_in(own_environment, accounting::own_user()),
                            node, ::getpid());
}

void add_to_jobs(const report::Job& job, const std::string& pattern) {
  accounting::JobLine line = report::job_line(job);
  line.step = accounting::step_in(own_environment, accounting::own_user());
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  line.ended_unix_s = std::chrono::duration<double>(now).count();
  std::error_code ignored;
  line.program = std::filesystem::read_symlink("/proc/self/exe", ignored).filename();
  accounting::append_line(of_step(pattern, job), accounting::print_job_line(line));
}

void show_verdict(const report::Job& job, const std::string& kept_in) {
  const report::JobSummary summary = report::summarize(job);
  const std::string verdict = report::verdict_of(job, summary);
  std::string text = wrapped(fmt::format(
      "hypermile: {}", verdict.empty() ? "The job was measured; no gears were chosen." : verdict));
  if (!summary.gears_in_effect && !summary.remarks.empty())
    text += wrapped(fmt::format("hypermile: {}", summary.remarks.front()));
  if (!kept_in.empty())
    text += fmt::format("hypermile: the report is in {}\n", kept_in);
  fmt::print(stderr, "{}", text);
}

} // namespace

bool reached_launcher(const std::string& text, const std::string& file) {
  try {
    return hand_over(text, file);
  } catch (const Error& error) {
    fmt::print(stderr, "hypermile: warning: {}\n", error.what());
    return false;
  }
}

void tell(RunReport run, const Settings& settings) {
  const report::Job job{.command = "", .settings = settings, .run = std::move(run)};
  if (const std::string jobs = setting("HYPERMILE_JOBS"); !jobs.empty())
    done([&] { add_to_jobs(job, jobs); });
  if (reached_launcher(encode_run(job.run), settings.result_file))
    return;
  std::string kept_in;
  bool kept = true;
  const auto keep = [&](const std::string& folder) {
    report::write_job(job, folder);
    kept_in = folder;
  };
  if (!settings.report_folder.empty())
    kept = done([&] { keep(settings.report_folder); });
  if (const std::string folders = setting("HYPERMILE_STEP_REPORT");
      !folders.empty() && folders != "none")
    kept = done([&] { keep(of_step(folders, job)); }) && kept;
  const std::string show = setting("HYPERMILE_SHOW");
  if (kept && show == "verdict")
    show_verdict(job, kept_in);
  else if (!kept || show != "nothing")
    fmt::print(stderr, "\n{}", report::job_text(job));
}

} // namespace hypermile::runtime::pmpi
