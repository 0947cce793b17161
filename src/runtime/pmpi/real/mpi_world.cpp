// The flavour for a real MPI: a process per rank.

#include "runtime/pmpi/world.hpp"

#include "runtime/decide/helper_thread.hpp"
#include "runtime/exchange/report_box.hpp"
#include "runtime/exchange/tree_exchange.hpp"
#include "runtime/pmpi/library.hpp"
#include "runtime/pmpi/quiet_arithmetic.hpp"
#include "runtime/pmpi/real/clock.hpp"
#include "runtime/pmpi/real/gentle_wait.hpp"
#include "runtime/pmpi/real/job_communicators.hpp"
#include "runtime/pmpi/real/learning.hpp"
#include "runtime/pmpi/real/mpi_exchange.hpp"
#include "runtime/pmpi/real/node_connection.hpp"
#include "runtime/pmpi/real/power_limit.hpp"
#include "runtime/pmpi/real/run_queue.hpp"
#include "runtime/pmpi/real/run_recording.hpp"
#include "runtime/pmpi/real/telling.hpp"
#include "runtime/pmpi/real/wait_gear.hpp"
#include "runtime/pmpi/real/watch.hpp"
#include "runtime/reason.hpp"
#include "runtime/request.hpp"
#include "runtime/settings.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

namespace hypermile::runtime::pmpi {
namespace {

/// To look for messages takes MPI a fraction of a microsecond.
constexpr Seconds pause{50e-6};
/// At first: long runs have fewer readings.
constexpr Seconds energy_interval{0.1};

/// Of one rank, to be remembered: some four bytes each, on their way and in the file.
constexpr std::size_t most_events_of_lesson = 16'384;

/// What a rank knows between MPI_Init and MPI_Finalize.
struct Process {
  const JobCommunicators& job;
  Settings settings;
  NodeConnection connection;
  std::unique_ptr<NodeWaitGear> wait_gear; ///< null: none is wanted
  std::unique_ptr<Learning> learning;
  std::unique_ptr<RunRecording> recording;
  std::vector<std::string> functions; ///< names of MPI's
  std::unique_ptr<Session> session;   ///< uses the machine
  bool gentle = false;                ///< all ranks wait gently
  Seconds in_init{};                  ///< what opening it took

  /// Collective.
  explicit Process(const JobCommunicators& communicators)
      : job(communicators), settings(read_settings(own_environment)),
        connection(connect_node(settings, job)) {
    open();
  }
  void open();
};

/// The gear that the settings give the rank's node from MPI_Init on, if they do. Collective. Throws
/// Error{config}, on all ranks alike, for gears or nodes that there are not.
std::optional<model::Gear> given_gear(const Settings& settings, const JobCommunicators& job,
                                      const NodeConnection& connection) {
  if (settings.gears.empty())
    return std::nullopt;
  const auto gears = gears_of_ranks(settings.gears, job.from_all(connection.node.name));
  const model::Gear gear = gears[static_cast<std::size_t>(job.rank())];
  const std::size_t count = connection.node.type.gears.size();
  const std::string wrong = gear < count ? ""
                                         : fmt::format("node {} has no gear {}, only 0 to {}",
                                                       connection.node.name, gear, count - 1);
  for (const std::string& problem : job.from_all(wrong))
    if (!problem.empty())
      throw Error(ErrorKind::config, fmt::format("HYPERMILE_GEARS: {}", problem));
  return gear;
}

/// Gears for ranks that have equal shares of the work. Collective.
void begin_with_equal_shares(const JobCommunicators& job, const RankNode& own,
                             Session::Parts& parts) {
  const auto nodes = nodes_of_ranks(job, own);
  const auto first = std::ranges::find(nodes, own.name, &RankNode::name);
  parts.first = choose_for_equal_shares(nodes);
  parts.sets_first_gear = first - nodes.begin() == job.rank();
}

void yield_core(Seconds /*time*/) { std::this_thread::yield(); }

void Process::open() {
  auto request = to_request(settings);
  auto time_model = to_time_model(settings, {});
  for (std::size_t f = 0; f < function_count; ++f)
    functions.emplace_back(name(static_cast<Function>(f)));
  time_model.functions = functions;
  if (!job.all_agree(connection.known))
    request.reset();
  gentle = job.all_agree(settings.gentle_wait);
  limit_power(job, connection, request);
  if (job.all_agree(settings.wait_gear != WaitGear::off))
    wait_gear = std::make_unique<NodeWaitGear>(settings, job, connection);
  learning = std::make_unique<Learning>(settings, job, connection.node, request);
  time_model.known_power = learning->known_power();
  recording = std::make_unique<RunRecording>(settings, job, connection);
  const auto place = place_in_tree(job.rank(), job.leaders());
  const bool waits = settings.apply != Apply::async;
  if (waits)
    time_model.stopwatch = monotonic_time;
  time_model.tells_trade_offs = waits; // by that stopwatch
  Session::Parts parts{
      .clock = std::make_unique<CommonClock>(offset_of_first(job, place)),
      .actuator = std::move(connection.actuator),
      .meter = std::move(connection.meter),
      .computation = std::move(connection.computation),
      .exchange = std::make_unique<TreeExchange>(place, std::make_unique<MpiExchange>(job.all())),
      .background = waits ? nullptr : std::make_unique<HelperThread>(),
      .pause = pause,
      .energy_interval = energy_interval,
      // Nodes that wait in another gear would seem to draw that in the one that was chosen.
      .learns_power = connection.metered && !wait_gear,
      .may_rest = request && !learning->remembers(),
      .reports_stage = learning->remembers(),
      .idle = waits ? yield_core : std::function<void(Seconds)>{},
      .waits_for_first = settings.apply == Apply::sync,
      .record_timeline = (request && needs_events(*request, time_model)) || learning->remembers(),
      .memory = Recorder::latest,
      .others_communicate = &others_communicate(),
      .time_model = time_model,
      .stolen = waiting_for_others(job)};
  recording->prepare(parts);
  if (wait_gear) {
    parts.calls = wait_gear->listener();
    parts.held_up = wait_gear->held_up();
  }
  parts.gear = given_gear(settings, job, connection);
  if (const auto& start = learning->start()) {
    parts.gear = start->gear;
    parts.expected = start->outline;
    parts.largest_scale = learning->largest_scale();
  } else if (settings.equal_shares && request) {
    begin_with_equal_shares(job, connection.node, parts);
  }
  session = std::make_unique<Session>(job.rank(), job.ranks(), connection.node, std::move(request),
                                      std::move(parts));
  if (wait_gear)
    wait_gear->start();
}

/// Whatever happens to hypermile, the program runs on. There may be no memory left.
void warn(const char* what) {
  std::fprintf(stderr, "hypermile: warning: %s; the program runs as it would without hypermile\n",
               what);
}

template <class Doing> void attempt(const Doing& doing) {
  try {
    doing();
  } catch (const std::exception& error) {
    warn(reason_of(error));
  }
}

/// What is wrong with the settings is wrong on every rank: one of them tells.
void warn_of_start(const std::exception& error) {
  const auto* const own = dynamic_cast<const Error*>(&error);
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0 || own == nullptr || own->kind() != ErrorKind::config)
    warn(reason_of(error));
}

/// Never destroyed: a program that calls exit() before MPI_Finalize, or in a child that it forked
/// off, must not wait for anybody there. What was set is restored all the same.
Process* process = nullptr;

bool was_spawned() {
  MPI_Comm parent = MPI_COMM_NULL;
  PMPI_Comm_get_parent(&parent);
  return parent != MPI_COMM_NULL;
}

/// Rank 0 for all that the launcher has started; where each rank has a launcher of its own, also
/// the others, which have nothing for theirs.
void tell_launcher_of_start(const JobCommunicators& job, const Settings& settings) {
  if (job.rank() == 0)
    reached_launcher(run_has_begun, settings.result_file);
  else if (!job.shares_launcher())
    reached_launcher(reported_elsewhere, settings.result_file);
}

} // namespace

void open_session() {
  if (was_spawned()) // a job of its own, on nodes that are watched already
    return;
  const QuietArithmetic quiet;
  const Seconds begin = monotonic_time();
  static JobCommunicators job;
  try {
    job.meet(own_environment(result_variable).value_or(""));
    auto opened = std::make_unique<Process>(job);
    job.agree();
    process = opened.release();
    process->in_init = monotonic_time() - begin;
  } catch (const JobCommunicators::Refused&) {
    return; // another rank says why
  } catch (const std::exception& error) {
    job.refuse();
    return warn_of_start(error);
  }
  if (process->gentle)
    wait_gently();
  begin_watch(*process->session);
  attempt([] { tell_launcher_of_start(job, process->settings); });
}

void close_session() {
  Session* const session = end_watch();
  if (session == nullptr)
    return;
  const QuietArithmetic quiet;
  wait_as_the_library_does();
  const Seconds begin = monotonic_time();
  session->arrive();
  session->wait_for_all();
  const Seconds arrived = monotonic_time();
  std::optional<WaitGearUse> use;
  if (process->wait_gear)
    attempt([&] { use = process->wait_gear->stop(); });
  attempt([session] { give_back(process->connection, session->actuator(), session->meter()); });
  process->connection.lease.reset(); // whatever became of that
  const auto complete_report = [&](RankReport& report) {
    report.in_init = process->in_init;
    report.in_finalize = arrived - begin;
    report.access = process->connection.access;
    report.stolen = session->stolen();
    report.wait_gear = std::move(use);
    if (const std::string why = session->not_followed(); report.failure.empty() && !why.empty())
      report.failure = fmt::format("it is not known which rank waits for which: {}", why);
    if (process->learning->remembers())
      report.lesson = session->take_lesson(most_events_of_lesson);
  };
  attempt([&] {
    // By reference: a copy needs memory, and a rank without any would not take leave of the others.
    auto run = session->finish(std::cref(complete_report));
    if (!run)
      return void(take_away_abandoned(process->settings.result_file));
    process->learning->conclude(*run, process->functions);
    run->in_finalize = monotonic_time() - arrived;
    tell(std::move(*run), process->settings);
  });
  process->recording->write(*session, process->functions);
  process->session.reset();
  process->job.part();
}

void note_end(RankStatus::State, int) {}

} // namespace hypermile::runtime::pmpi
