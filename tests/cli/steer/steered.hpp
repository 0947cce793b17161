#pragma once

#include "support/command_line.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

namespace hypermile::test {

using Words = std::vector<std::string>;

/// One line of a timeline: column and value.
using Line = std::map<std::string, std::string>;
double number_of(const Line& line, const std::string& column);
std::vector<Line> lines_of_csv(const std::string& path);

enum class Knob { cores, gears };
inline std::string name_of(Knob knob) { return knob == Knob::cores ? "cores" : "gears"; }

/// Programs under `hypermile steer`. Nothing of them, and nothing of hypermile's, may be left at
/// the end of a test.
class SteerTest : public testing::Test {
protected:
  SteerTest();
  void TearDown() override;

  /// The example server, and a program that does something odd (see odd.c).
  static Words server(const Words& arguments);
  static Words odd(const Words& arguments);

  /// `hypermile steer OPTIONS -- PROGRAM`, with short samples, a timeline and a report.
  [[nodiscard]] std::unique_ptr<RunningCommand> start(const Words& options,
                                                      const Words& program = {}) const;
  [[nodiscard]] CommandResult run(const Words& options, const Words& program = {}) const;
  /// A line for the shell, in which $STEER is hypermile steer with these options.
  [[nodiscard]] std::unique_ptr<RunningCommand> start_shell(const Words& options,
                                                            const std::string& line) const;
  /// A program that nobody steers yet, which may report its progress.
  [[nodiscard]] std::unique_ptr<RunningCommand> start_alone(const Words& program) const;
  /// A node of two cores that draws 20 W, and 80 W more where both compute in its fastest of three
  /// gears, and more `options`.
  [[nodiscard]] Words emulated(const Words& options) const;
  /// So that a program that is always at work is soon on one CPU, whatever else the machine does;
  /// or stopped for seven eighths of the time.
  [[nodiscard]] Words by(Knob knob) const;
  void wait_until_set(Knob knob, pid_t process) const;
  /// It runs on all our CPUs, and is not stopped now and then.
  static void expect_left_alone(pid_t process);

  /// What the last run has left. Null, or nothing: there is none.
  [[nodiscard]] nlohmann::json report() const;
  [[nodiscard]] std::vector<Line> timeline() const;

  /// Processes of this test with this name.
  [[nodiscard]] std::vector<pid_t> processes(const std::string& name) const;
  /// The first of them, which there is now or soon.
  [[nodiscard]] pid_t process(const std::string& name) const;
  /// Fails the test, and returns false, if it does not come true.
  static bool wait_until(const std::string& what, const std::function<bool()>& condition);

  TemporaryFolder folder_;
  std::map<std::string, std::string> environment_;
  std::string sample_ = "250ms"; ///< in the steady state
};

} // namespace hypermile::test
