// The flavour for a real MPI: a process per rank.

#include "runtime/pmpi/world.hpp"

#include "io/text_file.hpp"
#include "report/job_folder.hpp"
#include "report/job_text.hpp"
#include "runtime/helper_thread.hpp"
#include "runtime/pmpi/clock.hpp"
#include "runtime/pmpi/library.hpp"
#include "runtime/pmpi/machine.hpp"
#include "runtime/pmpi/mpi_exchange.hpp"
#include "runtime/pmpi/team.hpp"
#include "runtime/request.hpp"
#include "runtime/settings.hpp"
#include "runtime/tree_exchange.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

namespace hypermile::runtime::pmpi {
namespace {

std::optional<std::string> environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

/// What a rank knows between MPI_Init and MPI_Finalize.
struct Process {
  Settings settings = read_settings(environment);
  Team team;
  Machine machine = make_machine(settings, team);
  std::unique_ptr<Session> session; ///< uses the machine

  Process() { open(); }
  void open();
};

void Process::open() {
  auto request = to_request(settings);
  auto time_model = to_time_model(settings, {});
  for (std::size_t f = 0; f < function_count; ++f)
    time_model.functions.emplace_back(name(static_cast<Function>(f)));
  if (!team.all_agree(machine.known))
    request.reset();
  const auto place = place_in_tree(team.rank(), team.leaders());
  const bool waits = !settings.apply_async;
  if (waits)
    time_model.stopwatch = monotonic_time;
  Session::Parts parts{
      .clock = std::make_unique<CommonClock>(offset_of_first(team, place)),
      .actuator = std::move(machine.actuator),
      .meter = std::move(machine.meter),
      .computation = std::move(machine.computation),
      .exchange = std::make_unique<TreeExchange>(place, std::make_unique<MpiExchange>(team.all())),
      .background = waits ? nullptr : std::make_unique<HelperThread>(),
      .record_timeline = request && needs_events(*request, time_model),
      .time_model = time_model};
  session = std::make_unique<Session>(team.rank(), team.ranks(), machine.node, std::move(request),
                                      std::move(parts));
}

/// Whatever happens to hypermile, the program runs on.
void warn(const char* what) {
  fmt::print(stderr, "hypermile: warning: {}; the program runs as it would without hypermile\n",
             what);
}

std::unique_ptr<Process> process;
/// The session, where this is the thread whose calls are watched.
thread_local Session* watched = nullptr;
/// The session, where every thread's calls are, since they come one at a time.
std::atomic<Session*> watched_everywhere = nullptr;

bool was_spawned() {
  MPI_Comm parent = MPI_COMM_NULL;
  PMPI_Comm_get_parent(&parent);
  return parent != MPI_COMM_NULL;
}

void watch(Session* session) {
  int level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&level);
  if (level == MPI_THREAD_SERIALIZED)
    watched_everywhere.store(session, std::memory_order_release);
  else
    watched = session;
}

/// To the launcher, if it is on this node; else to whoever reads the program's stderr.
void tell(RunReport run, const Settings& settings) {
  if (std::filesystem::exists(settings.result_file)) {
    io::write_text_file(settings.result_file, print_run(run));
    return;
  }
  const report::Job job{.command = "", .settings = settings, .run = std::move(run)};
  fmt::print(stderr, "\n{}", report::job_text(job));
  if (!settings.report_folder.empty())
    report::write_job(job, settings.report_folder);
}

} // namespace

Session* current_session() {
  return watched != nullptr ? watched : watched_everywhere.load(std::memory_order_acquire);
}

void open_session() {
  if (was_spawned()) // a job of its own, on nodes that are watched already
    return;
  try {
    process = std::make_unique<Process>();
    watch(process->session.get());
  } catch (const std::exception& error) {
    warn(error.what());
  }
}

void close_session() {
  if (current_session() == nullptr)
    return;
  Session& session = *process->session;
  watch(nullptr);
  try {
    session.arrive();
    auto run = session.finish([&session](RankReport& report) {
      give_back(process->machine, session.actuator(), session.meter());
      report.access = process->machine.access;
    });
    if (run)
      tell(std::move(*run), process->settings);
  } catch (const std::exception& error) {
    warn(error.what());
  }
  process->session.reset();
}

void note_end(RankStatus::State, int) {}

} // namespace hypermile::runtime::pmpi
