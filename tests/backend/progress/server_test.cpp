// The example server, watched as `hypermile steer` does.

#include "backend/progress/program.hpp"
#include "backend/progress/shared_progress.hpp"
#include "control/processes.hpp"

namespace hypermile::backend::progress {
namespace {

using Words = std::vector<std::string>;

class Watched {
public:
  explicit Watched(const Words& options) : program_(command(options), environment()) {
    EXPECT_EQ(program_.read_to('\n').rfind("points of an item: ", 0), 0);
  }

  /// Waits until it has done so many. What it has done then.
  control::Done after(double items) {
    control::Done done;
    EXPECT_TRUE(test::comes_true([&] {
      done = progress_.done().value_or(control::Done{});
      return done.items >= items;
    }));
    return done;
  }
  /// All that it prints at its end.
  std::string end_by(int signal) {
    EXPECT_EQ(::kill(program_.pid(), signal), 0);
    std::string report = program_.read_to('\0');
    EXPECT_EQ(program_.end(), 0) << report;
    return report;
  }
  SharedProgress& progress() { return progress_; }
  std::string next_line() { return program_.read_to('\n'); }

private:
  static Words command(const Words& options) {
    Words words{HYPERMILE_SERVER, "--points", "20000"};
    words.insert(words.end(), options.begin(), options.end());
    return words;
  }
  [[nodiscard]] Program::Environment environment() const {
    return {{"LD_PRELOAD", HYPERMILE_PROGRESS_LIBRARY},
            {hypermile::progress::memory_variable, progress_.environment()}};
  }

  SharedProgress progress_{[] { return std::vector<pid_t>{}; }};
  Program program_;
};

double number_after(const std::string& report, const std::string& name) {
  const auto at = report.find(name + ": ");
  EXPECT_NE(at, std::string::npos) << report;
  return at == std::string::npos ? -1 : std::stod(report.substr(at + name.size() + 2));
}

TEST(the_server, reports_each_item_and_each_arrival_and_ends_when_asked_to) {
  for (const int signal : {SIGINT, SIGTERM}) {
    Watched server({"--rate", "2000", "--queue", "100000"});
    server.after(100);
    const std::string report = server.end_by(signal);
    const auto done = server.progress().done();
    ASSERT_TRUE(done);
    EXPECT_EQ(done->items, number_after(report, "items"));
    EXPECT_EQ(done->arrivals, done->items + number_after(report, "left waiting"));
    EXPECT_NE(report.find("verification: successful\n"), std::string::npos) << report;
  }
}

TEST(the_server, drops_what_its_queue_does_not_hold_though_it_has_arrived) {
  Watched server({"--rate", "100000", "--queue", "3", "--points", "1000000", "--threads", "1"});
  server.after(3);
  const std::string report = server.end_by(SIGTERM);
  const double dropped = number_after(report, "dropped");
  EXPECT_GT(dropped, 0);
  const auto done = server.progress().done();
  EXPECT_EQ(done->arrivals, done->items + dropped + number_after(report, "left waiting"));
}

TEST(the_server, has_no_arrivals_where_there_is_always_work_to_do) {
  Watched server({"--saturate"});
  EXPECT_FALSE(server.after(100).arrivals);
  server.end_by(SIGTERM);
}

TEST(the_server, changes_its_threads_when_told_to) {
  Watched server({"--saturate", "--threads", "1", "--verbose"});
  server.after(10);
  EXPECT_TRUE(server.progress().want_threads(3));
  std::string line;
  do
    line = server.next_line();
  while (line.find("threads 3\n") == std::string::npos && !line.empty());
  EXPECT_NE(line, "");
  server.end_by(SIGTERM);
}

TEST(the_server, refuses_what_it_does_not_understand) {
  EXPECT_EQ(Program({HYPERMILE_SERVER, "--rate", "many"}, {}).end(), 2);
  EXPECT_EQ(Program({HYPERMILE_SERVER, "--help"}, {}).end(), 0);
}

TEST(the_server, ends_by_itself_after_its_time) {
  EXPECT_EQ(Program({HYPERMILE_SERVER, "--duration", "0.1"}, {}).end(), 0);
}

} // namespace
} // namespace hypermile::backend::progress
