#include "cli/steer/steered.hpp"

#include "backend/process/programs.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace hypermile::test {

namespace fs = std::filesystem;

namespace {

std::string content(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// A node with these gears and this power.
std::string node(const std::string& gears, const std::string& power) {
  return R"(schema: hypermile/platform/1
name: node
description: for tests
source: made up
scalable: no
types:
  - {name: node, count: 1, cores: 2, speed: 50Gf, gears: [)" +
         gears + "], power: {" + power + R"(}}
network:
  link: {bandwidth: 1Gbps, latency: 50us}
)";
}

} // namespace

double number_of(const Line& line, const std::string& column) { return std::stod(line.at(column)); }

std::vector<Line> lines_of_csv(const std::string& path) {
  const auto fields_of = [](const std::string& text) {
    Words fields;
    std::istringstream rest(text + ",");
    for (std::string field; std::getline(rest, field, ',');)
      fields.push_back(field);
    return fields;
  };
  std::ifstream file(path);
  std::string text;
  std::getline(file, text);
  const Words columns = fields_of(text);
  std::vector<Line> lines;
  while (std::getline(file, text)) {
    const Words fields = fields_of(text);
    EXPECT_EQ(fields.size(), columns.size()) << text;
    Line& line = lines.emplace_back();
    for (std::size_t i = 0; i < std::min(fields.size(), columns.size()); ++i)
      line[columns[i]] = fields[i];
  }
  return lines;
}

SteerTest::SteerTest() {
  for (const char* name : {"tmp", "state"})
    fs::create_directory(folder_.path(name));
  environment_ = {{"TMPDIR", folder_.path("tmp")}, {"HYPERMILE_STATE", folder_.path("state")}};
  std::ofstream(folder_.path("node.yaml"))
      << node("2.4GHz, 1.8GHz, 1.2GHz", "dynamic: 80W, static: 20W");
  std::ofstream(folder_.path("crawling.yaml"))
      << node("2.4GHz, 0.3GHz", "computing: [100W, 60W], waiting: [100W, 60W], idle: 20W");
}

void SteerTest::TearDown() {
  const auto left = [this] { return processes(""); };
  if (!comes_true([&] { return left().empty(); }))
    for (const pid_t process : left()) {
      ADD_FAILURE() << "process " << process << " is left";
      ::kill(process, SIGKILL);
    }
  for (const auto& entry : fs::directory_iterator(folder_.path("tmp")))
    ADD_FAILURE() << entry.path() << " is left";
}

Words SteerTest::server(const Words& arguments) {
  Words words{HYPERMILE_SERVER};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

Words SteerTest::odd(const Words& arguments) {
  Words words{HYPERMILE_ODD};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

Words SteerTest::emulated(const Words& options) const {
  Words words{"--backend", "emulated", "--platform", folder_.path("node.yaml")};
  words.insert(words.end(), options.begin(), options.end());
  return words;
}

Words SteerTest::by(Knob knob) const {
  if (knob == Knob::cores)
    return {"--backend", "cores", "--objective", "min-power"};
  return {"--backend", "emulated", "--platform", folder_.path("crawling.yaml"), "--power", "30W"};
}

namespace {

Words steer(const TemporaryFolder& folder, const std::string& sample, const Words& options) {
  Words words{"steer", "--calibration-sample",  "50ms", "--sample",
              sample,  "--longest-calibration", "2s"};
  for (const std::string& word : {std::string("--json"), std::string("-o"), folder.path("report"),
                                  std::string("--timeline"), folder.path("timeline.csv")})
    words.push_back(word);
  words.insert(words.end(), options.begin(), options.end());
  return words;
}

} // namespace

std::unique_ptr<RunningCommand> SteerTest::start(const Words& options, const Words& program) const {
  Words words = steer(folder_, sample_, options);
  if (!program.empty())
    words.emplace_back("--");
  words.insert(words.end(), program.begin(), program.end());
  return std::make_unique<RunningCommand>(words, "", environment_);
}

CommandResult SteerTest::run(const Words& options, const Words& program) const {
  return start(options, program)->wait();
}

std::unique_ptr<RunningCommand> SteerTest::start_shell(const Words& options,
                                                       const std::string& line) const {
  auto environment = environment_;
  std::string& steer_line = environment["STEER"];
  steer_line = HYPERMILE_COMMAND;
  for (const std::string& word : steer(folder_, sample_, options))
    steer_line += " " + word;
  return std::unique_ptr<RunningCommand>(
      new RunningCommand(RunningCommand::shell(line, environment)));
}

std::unique_ptr<RunningCommand> SteerTest::start_alone(const Words& program) const {
  auto environment = environment_;
  environment["LD_PRELOAD"] = HYPERMILE_PROGRESS_LIBRARY;
  std::string line = "exec";
  for (const std::string& word : program)
    line += " '" + word + "'";
  return std::unique_ptr<RunningCommand>(
      new RunningCommand(RunningCommand::shell(line, environment)));
}

nlohmann::json SteerTest::report() const {
  return nlohmann::json::parse(content(folder_.path("report")), nullptr, false);
}

std::vector<Line> SteerTest::timeline() const { return lines_of_csv(folder_.path("timeline.csv")); }

std::vector<pid_t> SteerTest::processes(const std::string& name) const {
  const std::string ours = "TMPDIR=" + folder_.path("tmp");
  std::vector<pid_t> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string id = entry.path().filename();
    if (id.find_first_not_of("0123456789") != id.npos)
      continue;
    const bool named = name.empty() || content(entry.path() / "comm") == name + "\n";
    if (named && content(entry.path() / "environ").find(ours) != std::string::npos &&
        is_there(static_cast<pid_t>(std::stol(id))))
      found.push_back(static_cast<pid_t>(std::stol(id)));
  }
  return found;
}

pid_t SteerTest::process(const std::string& name) const {
  if (!wait_until(name + " runs", [&] { return !processes(name).empty(); }))
    return 0;
  return processes(name).front();
}

bool SteerTest::wait_until(const std::string& what, const std::function<bool()>& condition) {
  const bool came = comes_true(condition);
  EXPECT_TRUE(came) << "it did not come to this: " << what;
  return came;
}

void SteerTest::wait_until_set(Knob knob, pid_t process) const {
  const std::set all{control::affinity(0).value()};
  if (knob == Knob::cores)
    wait_until("confined", [&] { return masks_of(process) != all; });
  else
    wait_until("slowed down", [&] { return is_stopped(process); });
}

void SteerTest::expect_left_alone(pid_t process) {
  EXPECT_EQ(masks_of(process), std::set{control::affinity(0).value()});
  for (int i = 0; i < 50; ++i) { // several periods of a duty cycle
    EXPECT_FALSE(is_stopped(process));
    pause_for_ms(2);
  }
  ::kill(process, SIGCONT); // should it not have been let go on
}

} // namespace hypermile::test
