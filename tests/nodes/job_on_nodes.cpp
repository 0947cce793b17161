#include "nodes/job_on_nodes.hpp"

#include "support/own_domains.hpp"
#include "support/processes.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <signal.h>

namespace hypermile::test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// Gears and power as the drivers of the two nodes have them. n2 is the one that waits.
constexpr const char* platform = R"(schema: hypermile/platform/1
name: two-kinds
description: one node of each of two kinds
types:
  - name: slow
    count: 1
    speed: 40Gf
    gears: [2.6GHz, 2.4GHz, 2.0GHz, 1.6GHz, 1.2GHz]
    power: {dynamic: 20W, static: 4W}
    hosts: n1
  - name: fast
    count: 1
    speed: 60Gf
    gears: {max: 3.5GHz, min: 0.8GHz, step: 0.1GHz}
    power: {dynamic: 40W, static: 8W}
    hosts: n2
network:
  link: {bandwidth: 1Gbps, latency: 50us}
)";

/// What both MPIs need to run a job of root over these nodes, and nothing else of this machine.
/// MPICH's UCX would take them for one, by the kernel's name, and look for shared memory.
const std::map<std::string, std::string>& job_environment() {
  static const std::map<std::string, std::string> variables{
      {"HYPERMILE", HYPERMILE_COMMAND},
      {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
      {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
      {"OMPI_MCA_mpi_yield_when_idle", "1"},
      {"OMPI_MCA_plm_rsh_agent", HYPERMILE_TEST_REMOTE_SHELL},
      {"OMPI_MCA_pml", "ob1"},
      {"OMPI_MCA_btl", "self,tcp"},
      {"OMPI_MCA_btl_tcp_if_include", "eth0"},
      {"OMPI_MCA_oob_tcp_if_include", "eth0"},
      {"UCX_TLS", "tcp,self"}};
  return variables;
}

std::string content(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

} // namespace

FakeNode::FakeNode(std::string name, FakeSysfs::Driver driver)
    : name_(std::move(name)), sysfs_(driver, own_domains()) {
  fs::create_directory_symlink(sysfs_.root(), folder() + "/sys");
}

FakeNode::~FakeNode() {
  std::error_code ignored;
  fs::remove(folder() + "/sys", ignored);
}

std::vector<std::string> FakeNode::left_in_tmp() const {
  std::vector<std::string> left;
  for (const auto& entry : fs::directory_iterator(folder() + "/tmp"))
    if (std::string path = entry.path(); path.find("hypermile") != path.npos)
      left.push_back(std::move(path));
  return left;
}

CommandResult FakeNode::shell(const std::string& line) const {
  return RunningCommand::shell(
             fmt::format("exec '{}' {} '{}'", HYPERMILE_TEST_REMOTE_SHELL, name_, line))
      .wait();
}

JobOnNodes::JobOnNodes() { std::ofstream(n1.folder() + "/platform.yaml") << platform; }

JobOnNodes::~JobOnNodes() {
  for (const std::string& path : {std::string(HYPERMILE_COMMAND), launcher(), program()})
    for (const pid_t pid : processes(path))
      ::kill(pid, SIGKILL);
}

std::string JobOnNodes::program() {
  return HYPERMILE_BINARY_DIR "/tests/programs/" + GetParam() + "/only_allreduce";
}

std::string JobOnNodes::job(int iterations, int work) {
  return fmt::format("{} {} {} {}", mpirun(), program(), iterations, work);
}

std::string JobOnNodes::mpirun(const std::string& hosts) {
  if (GetParam() == "openmpi")
    return fmt::format("mpirun.openmpi --map-by seq -host {} -n 2", hosts); // else n1 comes first
  return fmt::format("mpirun.mpich -launcher rsh -launcher-exec {} -hosts {} -n 2",
                     HYPERMILE_TEST_REMOTE_SHELL, hosts);
}

std::string JobOnNodes::mpirun(std::size_t ranks_per_node) {
  const std::string hosts = fmt::format("n1:{0},n2:{0}", ranks_per_node);
  if (GetParam() == "openmpi")
    return fmt::format("mpirun.openmpi -host {} -n {}", hosts, 2 * ranks_per_node);
  return fmt::format("mpirun.mpich -launcher rsh -launcher-exec {} -hosts {} -n {}",
                     HYPERMILE_TEST_REMOTE_SHELL, hosts, 2 * ranks_per_node);
}

void JobOnNodes::start(const std::string& launched, const std::string& options) {
  start_line(fmt::format("exec \"$HYPERMILE\" run --json -o /run/node/report.json {} -- {}",
                         options, launched));
}

/// What the line prints goes to files: there is more to read than the shell's own output where a
/// process lives longer than the shell.
void JobOnNodes::start_line(const std::string& line) {
  std::string exports = "cd /run/node; exec > out 2> err; export";
  for (const auto& [name, value] : job_environment())
    exports += fmt::format(" {}={}", name, value);
  running_.reset(new RunningCommand(RunningCommand::shell(
      fmt::format("exec '{}' n1 '{}; {}'", HYPERMILE_TEST_REMOTE_SHELL, exports, line))));
}

CommandResult JobOnNodes::wait() {
  CommandResult result = running_->wait();
  result.err += on_n1("err");
  result.out += on_n1("out");
  return result;
}

CommandResult JobOnNodes::run(const std::string& launched, const std::string& options) {
  start(launched, options);
  return wait();
}

std::string JobOnNodes::on_n1(const std::string& file) const {
  return content(n1.folder() + "/" + file);
}

nlohmann::json JobOnNodes::report() const {
  const std::string text = on_n1("report.json");
  return text.empty() ? nlohmann::json() : nlohmann::json::parse(text, nullptr, false);
}

void JobOnNodes::wait_until(const std::string& what, const std::function<bool()>& true_at_last) {
  for (int i = 0; i < 12'000 && !true_at_last(); ++i)
    std::this_thread::sleep_for(10ms);
  ASSERT_TRUE(true_at_last()) << what;
}

void JobOnNodes::wait_for_gears() {
  wait_until("gears are set on both nodes",
             [this] { return !n1.is_as_before() && !n2.is_as_before(); });
}

void JobOnNodes::expect_restored() {
  wait_until("both nodes are restored", [this] { return n1.is_as_before() && n2.is_as_before(); });
  for (const FakeNode* const node : {&n1, &n2})
    EXPECT_EQ(node->sysfs().settings(), node->before()) << node->name();
}

void JobOnNodes::expect_nothing_left() {
  wait_until("all processes have ended", [] {
    return processes_with("hypermile-guard").empty() && processes(HYPERMILE_COMMAND).empty() &&
           processes(launcher()).empty() && processes(program()).empty();
  });
  for (const FakeNode* const node : {&n1, &n2})
    EXPECT_EQ(node->left_in_tmp(), std::vector<std::string>{}) << node->name();
}

std::vector<pid_t> JobOnNodes::processes(const std::string& program) {
  return processes_of(program, "");
}

void JobOnNodes::send(int signal, const std::string& program) {
  const auto all = processes(program);
  ASSERT_FALSE(all.empty()) << program;
  ::kill(all.front(), signal);
}

std::string JobOnNodes::launcher() {
  const CommandResult found =
      RunningCommand::shell("readlink -f \"$(command -v mpirun." + GetParam() + ")\"").wait();
  return found.out.substr(0, found.out.find('\n'));
}

} // namespace hypermile::test
