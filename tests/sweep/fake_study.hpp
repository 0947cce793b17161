#pragma once

#include "sweep/sweep.hpp"

#include "io/text_file.hpp"
#include "simulate/process.hpp"
#include "support/temporary_folder.hpp"

#include <fmt/format.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace hypermile::test {

/// Does the work in a process of its own, which ends with 128 + the signal's number if it is
/// interrupted, with 1 if it fails, else with 0.
template <class Work> pid_t in_another_process(const Work& work) {
  const pid_t child = ::fork();
  if (child != 0)
    return child;
  std::signal(SIGINT, SIG_DFL); // which what runs the tests may ignore
  try {
    work();
  } catch (const simulate::Interrupted& interrupted) {
    ::_exit(128 + interrupted.signal);
  } catch (...) {
    ::_exit(1);
  }
  ::_exit(0);
}

/// The status of waitpid().
inline int end_of_process(pid_t process) {
  int status = 0;
  ::waitpid(process, &status, 0);
  return status;
}

/// A folder with a study, and with a script in place of hypermile. The script adds a line to the
/// file `log` when it begins, "record CLASS" or "simulate CLASS PLATFORM", and "beside a recording"
/// if another one of it runs and one of both records; then it does what the class
/// says: `bad` fails, `slow` waits until there is a file `go`, `late` does so only to simulate,
/// `odd` prints no JSON, `ended` ends as after SIGTERM; others print a simulation at once.
class FakeStudy {
public:
  explicit FakeStudy(std::vector<std::string> classes,
                     std::vector<std::string> platforms = {"one", "two"}) {
    write("hypermile", script);
    std::filesystem::permissions(path("hypermile"), std::filesystem::perms::owner_all);
    write("log", "");
    study.name = "fake";
    study.programs = {{.name = "app",
                       .command = {"./app", "{class}"},
                       .classes = std::move(classes),
                       .ranks = {2},
                       .options = {}}};
    study.platforms = std::move(platforms);
    study.methods = {"exact"};
    study.options = {{"reference-speed", {"1Gf"}}}; // so that all platforms have the same unit
  }

  [[nodiscard]] std::string path(const std::string& name) const { return folder_.path(name); }
  void write(const std::string& name, const std::string& text) const {
    io::write_text_file(path(name), text);
  }
  [[nodiscard]] std::vector<sweep::Place> places() const {
    return sweep::places_of(
        study::cells_of(study),
        {.version = "1", .study_folder = folder_.path(), .platform_folder = path("platforms")});
  }
  [[nodiscard]] sweep::ResultsFolder results() const {
    return sweep::ResultsFolder(path("results"));
  }
  /// As `hypermile sweep` does.
  std::vector<study::Outcome> sweep(std::size_t jobs = 2, bool retry_failed = false) const {
    const auto lock = results().lock(sweep::FileLock::Kind::alone);
    return sweep::run(places(), results(),
                      {.command = path("hypermile"),
                       .study_folder = folder_.path(),
                       .jobs = jobs,
                       .retry_failed = retry_failed},
                      {.step = [](const std::string&) {}, .status = [](const std::string&) {}});
  }
  /// How often this line is in the log.
  [[nodiscard]] std::size_t count(const std::string& line) const {
    const std::string text = "\n" + io::read_text_file(path("log"));
    std::size_t times = 0;
    for (auto at = text.find("\n" + line + "\n"); at != std::string::npos;
         at = text.find("\n" + line + "\n", at + 1))
      ++times;
    return times;
  }

  study::Study study;

private:
  static constexpr const char* script = R"(#!/bin/sh
report= platform=
for word; do
  case $word in
    --report=*) report=${word#*=} ;;
    --platform=*) platform=${word#*=} ;;
  esac
  class=$word
done
if [ "$report" ]; then echo "record $class" >> log; else echo "simulate $class $platform" >> log; fi
others=$(echo runs.*)
case "${report:+record} $others" in *record*runs.[0-9]*|*runs.record*) echo "beside a recording" >> log ;; esac
mine=runs.${report:+record.}$$
: > "$mine"
trap 'rm -f "$mine"' EXIT
case $class in
  bad) printf 'one\nhypermile: error: no\033 luck\n' >&2; exit 3 ;;
  slow) while [ ! -e go ]; do sleep 0.02; done ;;
  late) while [ -z "$report" ] && [ ! -e go ]; do sleep 0.02; done ;;
  odd) echo nothing; exit 0 ;;
  ended) exit 143 ;;
esac
if [ "$report" ]; then
  mkdir -p "$report"
  echo "$class" > "$report/computation.txt"
else
  echo '{"schema": "hypermile/simulation/1", "runs": [
    {"method": "none", "time_s": 10, "energy_j": 100, "gears": [0, 0],
     "predictions": {"cluster": null, "dependency": null}},
    {"method": "exact", "time_s": 11, "energy_j": 80, "gears": [0, 2],
     "predictions": {"cluster": null, "dependency": null}}]}'
fi
)";

  TemporaryFolder folder_;
};

} // namespace hypermile::test
