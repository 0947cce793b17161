// The flavour for SimGrid's SMPI: all ranks live in this one process and take turns on one
// thread, so that the state of each is found by its actor, and what they share is plain data.

#include "runtime/pmpi/smpi/governed_node.hpp"
#include "runtime/pmpi/world.hpp"

#include "backend/simgrid/computation.hpp"
#include "backend/simgrid/exchange.hpp"
#include "backend/simgrid/host.hpp"
#include "backend/simgrid/protocol.hpp"
#include "control/limited_gears.hpp"
#include "govern/governors.hpp"
#include "io/recording_text.hpp"
#include "io/text_file.hpp"
#include "io/timeline_text.hpp"
#include "replay/recorded_run.hpp"
#include "runtime/peak_shares.hpp"
#include "runtime/request.hpp"
#include "runtime/settings.hpp"
#include "units/error.hpp"

#include <mpi.h>
#include <simgrid/s4u.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace hypermile::runtime::pmpi {
namespace {

namespace simgrid = backend::simgrid;

/// A tenth of the latency of a fast network; most programs have many times more gaps between
/// MPI calls that are shorter than that, than longer ones.
constexpr Seconds shortest_event{8e-6};

/// The operations of a recording as this build numbers them.
void renumber(model::Recording& recording, const std::string& file) {
  std::vector<std::uint16_t> numbers;
  for (const std::string& operation : recording.operations) {
    std::uint16_t f = 0;
    while (f < function_count && name(static_cast<Function>(f)) != operation)
      ++f;
    if (f == function_count)
      throw Error(ErrorKind::config, fmt::format("{}: unknown MPI function '{}'", file, operation));
    numbers.push_back(f);
  }
  for (auto& rank : recording.ranks)
    for (auto& call : rank)
      call.operation = numbers[call.operation];
}

/// What the ranks of the process share.
struct World {
  Settings settings = read_settings(own_environment);
  std::optional<select::Request> request = to_request(settings);
  TimeModel time_model = to_time_model(settings, simgrid::describe_protocol());
  std::optional<StatusFile> status;
  model::Recording replayed;
  model::Recording recorded;
  model::Timeline timeline;
  std::vector<::simgrid::s4u::Host*> hosts;                ///< by rank
  std::vector<simgrid::RankComputation::Account> accounts; ///< by rank
  std::vector<std::unique_ptr<Session>> sessions;          ///< by the actor's process id
  std::vector<std::optional<RankReport>> closing;          ///< by rank, taken when all had arrived
  std::vector<model::Gear> fixed_gears;                    ///< by rank; none: gears are not fixed
  std::vector<model::Gear> fastest_gears; ///< by rank; none: no cap on peak power limits them
  std::optional<Decision> first_gears;    ///< that the nodes begin in; none: in gear 0
  std::vector<int> first_ranks;           ///< of the nodes that these are of
  std::vector<std::unique_ptr<GovernedNode>> governed; ///< nodes; none: there is no governor
  std::map<const ::simgrid::s4u::Host*, std::size_t>
      switches; ///< of gears, since the first MPI_Init
  int ranks = 0;
  int arrived = 0;

  World();
  void limit_power();
  void begin_with_equal_shares();
  [[nodiscard]] model::NodeType type_of(const ::simgrid::s4u::Host& host, std::size_t rank) const;
  std::unique_ptr<Session> make_session(int rank);
  std::unique_ptr<control::CallListener> govern(::simgrid::s4u::Host& host);
  /// For its file, or for choices by who waits for whom.
  [[nodiscard]] bool records_timeline() const {
    return !settings.timeline_file.empty() || keeps_run() ||
           (request && needs_events(*request, time_model));
  }
  [[nodiscard]] bool keeps_run() const { return !settings.run_file.empty(); }
  [[nodiscard]] Recorder::Memory memory_of_rank() const;
  std::unique_ptr<control::Computation> make_computation(std::size_t rank,
                                                         const ::simgrid::s4u::Host& host);
  [[nodiscard]] model::RankTimeline with_sensitivity(model::RankTimeline did,
                                                     std::size_t rank) const;
};

World::World() {
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (!settings.status_file.empty())
    status = StatusFile::open(settings.status_file);
  for (std::size_t f = 0; f < function_count; ++f)
    (void)recorded.operation(name(static_cast<Function>(f)));
  recorded.ranks.resize(static_cast<std::size_t>(ranks));
  timeline.functions = time_model.functions = recorded.operations;
  timeline.ranks.resize(static_cast<std::size_t>(ranks));
  hosts.resize(static_cast<std::size_t>(ranks));
  accounts.resize(hosts.size());
  if (!settings.recording_file.empty()) {
    replayed =
        io::parse_recording(io::read_text_file(settings.recording_file), settings.recording_file);
    renumber(replayed, settings.recording_file);
  }
  if (!settings.gears.empty())
    fixed_gears =
        gears_of_ranks(settings.gears, simgrid::hosts_of_ranks(static_cast<std::size_t>(ranks)));
  ::simgrid::s4u::Host::on_speed_change_cb(
      [this](const ::simgrid::s4u::Host& host) { ++switches[&host]; });
  if (!settings.power_caps.none())
    limit_power();
  if (settings.equal_shares && request)
    begin_with_equal_shares();
}

/// As on a real machine. Throws Error{config} for caps that no gears keep.
void World::limit_power() {
  const auto hosts_by_rank = simgrid::hosts_of_ranks(static_cast<std::size_t>(ranks));
  std::vector<std::string> names;
  std::vector<model::NodeType> types;
  for (const std::string& host : hosts_by_rank)
    if (std::ranges::find(names, host) == names.end()) {
      names.push_back(host);
      types.push_back(simgrid::describe(*::simgrid::s4u::Host::by_name(host)));
    }
  const auto problems = unkept_caps(types, settings.power_caps);
  if (!problems.empty())
    throw Error(ErrorKind::config, fmt::format("{}", fmt::join(problems, "; ")));
  if (!request || !settings.power_caps.peak)
    return;
  const auto shares = peak_shares(types, *settings.power_caps.peak);
  for (const std::string& host : hosts_by_rank)
    fastest_gears.push_back(
        shares.fastest[static_cast<std::size_t>(std::ranges::find(names, host) - names.begin())]);
  request->constraints.peak_power_cap.reset();
}

/// As far as a cap on peak power leaves it its gears.
model::NodeType World::type_of(const ::simgrid::s4u::Host& host, std::size_t rank) const {
  const model::NodeType type = simgrid::describe(host);
  return fastest_gears.empty() ? type : limited_to(type, fastest_gears[rank]);
}

void World::begin_with_equal_shares() {
  std::vector<RankNode> nodes;
  for (const std::string& host : simgrid::hosts_of_ranks(static_cast<std::size_t>(ranks))) {
    if (std::ranges::find(nodes, host, &RankNode::name) == nodes.end())
      first_ranks.push_back(static_cast<int>(nodes.size()));
    nodes.push_back({host, type_of(*::simgrid::s4u::Host::by_name(host), nodes.size())});
  }
  first_gears = choose_for_equal_shares(nodes);
}

/// Ends the whole simulation: an error here concerns every rank.
[[noreturn]] void give_up(const Error& error) {
  fmt::print(stderr, "hypermile: error: {}\n", error.what());
  std::fflush(stdout);
  std::_Exit(static_cast<int>(ExitCode::usage));
}

/// Made by the first rank that has initialised MPI, and never destroyed: where a simulation ends
/// early, messages are still under way whose end nobody can wait for any more.
World* world = nullptr;

std::size_t actor() { return static_cast<std::size_t>(::simgrid::s4u::this_actor::get_pid()); }

std::unique_ptr<control::Computation> World::make_computation(std::size_t rank,
                                                              const ::simgrid::s4u::Host& host) {
  using From = simgrid::RankComputation::From;
  const bool is_recorded = !settings.recording_file.empty();
  simgrid::RankComputation::Source source{
      .from = settings.computes_itself ? From::program
              : is_recorded            ? From::recording
                                       : From::clock,
      .reference_speed = settings.reference_speed.value_or(Speed{1}),
      .recorded = {},
      .is_poll = [](std::uint16_t f) { return is_poll(static_cast<Function>(f)); },
      .repeats_by_time = [](std::uint16_t f) { return repeats_by_time(static_cast<Function>(f)); },
      .worth_an_event = Speed{host.get_pstate_speed(0)} * shortest_event};
  const double of_host = simgrid::sensitivity_of(host);
  if (!settings.sensitivities.none() || of_host != 1) {
    source.sensitivity = [this, of_host](std::uint16_t f, std::uint32_t place) {
      return settings.sensitivities.before(name(static_cast<Function>(f)), place, of_host);
    };
    source.scale = [&host] { return simgrid::scale_of(host); };
  }
  if (is_recorded)
    source.recorded = replayed.ranks.at(rank);
  auto* const record = settings.record_to.empty() ? nullptr : &recorded.ranks[rank];
  return std::make_unique<simgrid::RankComputation>(std::move(source), accounts[rank], record);
}

/// As it was simulated: forecasts of other gears rest on it.
model::RankTimeline World::with_sensitivity(model::RankTimeline did, std::size_t rank) const {
  const double of_host = simgrid::sensitivity_of(*hosts[rank]);
  if (settings.sensitivities.none() && of_host == 1)
    return did;
  for (const model::Operation& operation : did.operations)
    did.sensitivity.push_back(settings.sensitivities.before(
        name(static_cast<Function>(operation.function)), operation.site, of_host));
  did.sensitivity_otherwise = settings.sensitivities.before("", 0, of_host);
  return did;
}

/// Of a run that is kept, there are more events than of one that is only looked at.
Recorder::Memory World::memory_of_rank() const {
  return keeps_run() ? Recorder::whole_run_of(timeline.ranks.size()) : Recorder::whole_run;
}

/// Null where there is no governor. Throws Error{config} for one that does not exist.
std::unique_ptr<control::CallListener> World::govern(::simgrid::s4u::Host& host) {
  if (settings.governor.empty())
    return nullptr;
  auto node = std::ranges::find_if(governed, [&](const auto& g) { return &g->host() == &host; });
  if (node == governed.end()) {
    const auto* const row = govern::governor_named(settings.governor);
    if (row == nullptr)
      throw Error(ErrorKind::config,
                  fmt::format("HYPERMILE_GOVERNOR: '{}' is not a governor", settings.governor),
                  govern::governor_names());
    const auto hosts_by_rank = simgrid::hosts_of_ranks(static_cast<std::size_t>(ranks));
    const auto of_host = std::ranges::count(hosts_by_rank, host.get_name());
    const Seconds change = settings.gear_change.value_or(Seconds{});
    const govern::Node described{simgrid::describe(host), static_cast<std::size_t>(of_host),
                                 change};
    node = governed.insert(governed.end(),
                           std::make_unique<GovernedNode>(host, row->make(described), change));
  }
  return (*node)->listener();
}

std::unique_ptr<Session> World::make_session(int rank) {
  auto& host = *::simgrid::s4u::this_actor::get_host();
  const auto index = static_cast<std::size_t>(rank);
  hosts[index] = &host;
  Session::Parts parts{.clock = std::make_unique<simgrid::SimulatedClock>(),
                       .actuator = std::make_unique<simgrid::HostActuator>(host),
                       .meter = std::make_unique<simgrid::HostMeter>(host),
                       .computation = make_computation(index, host),
                       .exchange = std::make_unique<TreeExchange>(
                           place_in_tree(rank, std::vector<std::size_t>(hosts.size())),
                           std::make_unique<simgrid::MailboxExchange>(rank)),
                       .status = status ? &*status : nullptr,
                       .idle = settings.apply == Apply::async ? nullptr : simgrid::idle,
                       .waits_for_first = settings.apply == Apply::sync,
                       .record_timeline = records_timeline(),
                       .keep = keeps_run() ? Observer::Keep::calls : Observer::Keep::dependencies,
                       .memory = memory_of_rank(),
                       .time_model = time_model};
  if (keeps_run())
    parts.worked = [&account = accounts[index]](Seconds) {
      return std::exchange(account.charged, Work{});
    };
  if (!fixed_gears.empty())
    parts.gear = fixed_gears[index];
  RankNode node{host.get_name(), type_of(host, index)};
  if (!fastest_gears.empty() && fastest_gears[index] > 0) {
    const model::Gear fastest = fastest_gears[index];
    parts.actuator->set_gear(fastest);
    parts.actuator = std::make_unique<control::LimitedGears>(std::move(parts.actuator), fastest);
  }
  parts.first = first_gears;
  parts.sets_first_gear = std::ranges::find(first_ranks, rank) != first_ranks.end();
  parts.calls = govern(host);
  return std::make_unique<Session>(rank, ranks, std::move(node), request, std::move(parts));
}

/// Time and energy of every rank at the moment the last one arrives, which is when the program
/// ends: what hypermile's own messages take after that is not the program's.
void count_arrival() {
  if (++world->arrived < world->ranks)
    return;
  for (const auto& node : world->governed)
    node->end();
  world->closing.resize(static_cast<std::size_t>(world->ranks));
  for (const auto& session : world->sessions)
    if (session) {
      RankReport report = session->report();
      report.switches = world->switches[world->hosts[static_cast<std::size_t>(report.rank)]];
      world->closing[static_cast<std::size_t>(report.rank)] = std::move(report);
    }
}

/// Reports number all gears of a host.
void number_all_gears(RankReport& report) {
  const auto rank = static_cast<std::size_t>(report.rank);
  if (world->fastest_gears.empty())
    return;
  const model::Gear fastest = world->fastest_gears[rank];
  report.node.type = simgrid::describe(*world->hosts[rank]);
  report.gear += fastest;
  report.fastest = fastest;
  for (GearChange& change : report.changes)
    change.gear += fastest;
}

void number_all_gears(RunReport& run) {
  for (RankReport& rank : run.ranks)
    number_all_gears(rank);
  for (Decision& decision : run.decisions)
    for (std::size_t n = 0; n < decision.nodes.size(); ++n) {
      const auto on_node = std::ranges::find(run.ranks, decision.nodes[n],
                                             [](const RankReport& rank) { return rank.node.name; });
      if (on_node != run.ranks.end())
        decision.gears[n] += on_node->fastest;
    }
}

void write_run() {
  const Settings& settings = world->settings;
  replay::RecordedRun run{.program = settings.program,
                          .platform = settings.platform,
                          .nodes = {},
                          .speeds = {},
                          .timeline = std::move(world->timeline)};
  for (const auto* host : world->hosts) {
    run.nodes.push_back(host->get_name());
    run.speeds.emplace_back(host->get_pstate_speed(0));
  }
  io::write_text_file(settings.run_file, replay::print_recorded_run(run));
}

void write_result(const RunReport& run) {
  const Settings& settings = world->settings;
  if (!settings.record_to.empty())
    io::write_text_file(settings.record_to, io::print_recording(world->recorded));
  if (!settings.timeline_file.empty())
    io::write_text_file(settings.timeline_file, io::print_timeline(world->timeline));
  if (!settings.result_file.empty())
    io::write_text_file(settings.result_file, encode_run(run));
  if (!settings.run_file.empty())
    write_run();
}

} // namespace

Session* current_session(Function) {
  if (world == nullptr || actor() >= world->sessions.size())
    return nullptr;
  return world->sessions[actor()].get();
}

void open_session() {
  try {
    if (world == nullptr)
      world = new World;
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    auto session = world->make_session(rank);
    world->sessions.resize(std::max(world->sessions.size(), actor() + 1));
    world->sessions[actor()] = std::move(session);
  } catch (const Error& error) {
    give_up(error);
  }
}

void close_session() {
  Session* const session = current_session(Function::Finalize);
  if (session == nullptr)
    return;
  try {
    session->arrive();
    const auto rank = static_cast<std::size_t>(session->rank());
    world->timeline.ranks[rank] = world->with_sensitivity(session->take_timeline(), rank);
    count_arrival();
    auto run = session->finish([&](RankReport& report) {
      report = *world->closing[static_cast<std::size_t>(report.rank)];
    });
    if (!run)
      return (void)world->sessions[actor()].reset();
    number_all_gears(*run);
    run->protocol = simgrid::describe_protocol();
    write_result(*run);
  } catch (const Error& error) {
    give_up(error);
  }
  world->sessions[actor()].reset();
}

void note_computation(Work work) {
  if (const Session* const session = current_session(Function::Iteration))
    world->accounts[static_cast<std::size_t>(session->rank())].told += work;
}

void note_end(RankStatus::State how, int code) {
  if (world == nullptr || !world->status)
    return;
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  RankStatus& status = world->status->rank(static_cast<std::size_t>(rank));
  status.exit_code.store(code);
  if (status.state.load() != RankStatus::finalized)
    status.state.store(how);
}

} // namespace hypermile::runtime::pmpi
