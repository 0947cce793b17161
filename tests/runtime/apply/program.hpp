#pragma once

#include "runtime/apply/rank_controller.hpp"
#include "support/allocations.hpp"
#include "support/memory_exchange.hpp"
#include "support/nodes.hpp"
#include "support/scripted_timeline.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace hypermile::runtime {

/// One for all ranks of a node.
struct Machine {
  std::size_t gear = 0;
  int times_set = 0;
  bool refuses = false;
  bool fails = false; ///< in ways that nobody has thought of
  /// What it really draws by gear, which its meter counts; empty: 5 W all the time.
  std::vector<model::GearPower> power{};
  Joules drawn{};
};

struct FakeClock final : control::Clock {
  Seconds time{100};
  [[nodiscard]] Seconds now() const override { return time; }
};

struct FakeActuator final : control::Actuator {
  explicit FakeActuator(Machine& m) : machine(m) {}
  [[nodiscard]] std::size_t gear() const override { return machine.gear; }
  void set_gear(std::size_t gear) override {
    if (machine.fails)
      throw std::runtime_error("the actuator has failed");
    if (machine.refuses)
      throw Error(ErrorKind::hardware, "cannot set the frequency of cpu 3");
    machine.gear = gear;
    ++machine.times_set;
  }
  Machine& machine;
};

/// 5 W all the time, or what the machine draws; or nothing that can be measured.
struct FakeMeter final : control::Meter {
  FakeMeter(const FakeClock& c, const Machine& m, bool there)
      : clock(c), machine(m), works(there) {}
  [[nodiscard]] std::optional<Joules> consumed() const override {
    if (fails)
      throw std::runtime_error("the meter has failed");
    if (works && !machine.power.empty())
      return machine.drawn;
    return works ? std::optional(Watts{5} * clock.time) : std::nullopt;
  }
  const FakeClock& clock;
  const Machine& machine;
  bool works;
  bool fails = false;
};

/// Does its task when the test says so.
struct FakeBackground final : control::Background {
  void start(std::function<void()> next) override {
    EXPECT_TRUE(done());
    task = std::move(next);
    ++started;
  }
  [[nodiscard]] bool done() const override { return !task; }
  void wait() override {
    if (const auto now = std::exchange(task, {}))
      now();
  }
  std::function<void()> task;
  int started = 0;
};

/// What one rank does in an iteration: so many seconds of computation in gear 0.
struct RankSetup {
  std::size_t node = 0;
  double computation = 1;
  bool repeats = true;          ///< false: its calls never form a loop
  bool idles = false;           ///< it may wait for orders
  bool waits_for_first = false; ///< as RankController::Ports'
  double energy_interval = 0;   ///< likewise
  bool has_meter = true;
  bool learns_power = false;  ///< as RankController::Ports'
  bool reports_stage = false; ///< likewise
};

/// Node 1 is needed as it is, nodes 0 and 2 have slack for gear 1 (S = 2).
inline const std::vector<RankSetup> uneven{{0, 1}, {1, 2}, {2, 0.5}};
/// Of these node 0 has more slack than it needs for gear 1.
inline const std::vector<RankSetup> more_uneven{{0, 0.8}, {1, 2}, {2, 0.5}};

inline const select::Request unbounded{};
inline select::Request bounded(std::optional<double> max_slowdown = 0.05) {
  select::Request request;
  request.constraints.max_slowdown = max_slowdown;
  return request;
}

/// A program of several ranks that wait for each other in every iteration, each with its
/// controller. Rank after rank is driven from here, so that nothing may ever block. A time model
/// that names a function has the ranks record their events.
class Program {
public:
  enum class Messages { to_all, by_tree };

  Program(const std::vector<RankSetup>& setups, std::optional<select::Request> request,
          Messages messages = Messages::to_all, control::Background* background = nullptr,
          const TimeModel& model = {})
      : network(setups.size()) {
    std::vector<std::size_t> nodes;
    for (const RankSetup& setup : setups)
      nodes.push_back(setup.node);
    for (const RankSetup& setup : setups)
      machines.resize(std::max(machines.size(), setup.node + 1));
    for (const RankSetup& setup : setups) {
      const std::string name = "node-" + std::to_string(setup.node);
      const auto cores =
          static_cast<std::size_t>(std::ranges::count(setups, setup.node, &RankSetup::node));
      const auto rank = static_cast<int>(ranks.size());
      const std::vector<std::size_t> same_node(setups.size());
      const bool tree = messages == Messages::by_tree;
      auto exchange =
          std::make_unique<TreeExchange>(place_in_tree(rank, tree ? nodes : same_node, 2),
                                         std::make_unique<test::MemoryExchange>(network, rank));
      ranks.push_back(std::make_unique<Rank>(setup, machines[setup.node], std::move(exchange), rank,
                                             static_cast<int>(setups.size()),
                                             test::node(name, cores), request, background, model));
    }
  }

  /// What hypermile allocates on this rank from now on may fail.
  void expose(std::size_t rank, test::AllocationFault& fault) { ranks[rank]->fault = &fault; }
  void shelter() {
    for (auto& rank : ranks)
      rank->fault = nullptr;
  }

  /// All ranks compute, then all wait for the slowest.
  void iterate(int times) {
    for (int i = 0; i < times; ++i) {
      Seconds slowest;
      for (auto& rank : ranks)
        slowest = std::max(slowest, rank->computation_now());
      draw(slowest + Seconds{0.25});
      for (auto& rank : ranks)
        rank->iterate(slowest + Seconds{0.25});
    }
  }

  /// What the machines draw in an iteration of this length.
  void draw(Seconds length) {
    for (Machine& machine : machines)
      if (!machine.power.empty())
        machine.drawn += machine.power[machine.gear].waiting * length;
    for (auto& rank : ranks)
      if (Machine& machine = machines[rank->setup.node]; !machine.power.empty()) {
        const auto cores = static_cast<double>(std::ranges::count_if(
            ranks, [&](const auto& other) { return other->setup.node == rank->setup.node; }));
        const model::GearPower& power = machine.power[machine.gear];
        machine.drawn += (power.computing - power.waiting) / cores * rank->computation_now();
      }
  }

  /// Returns rank 0's report; none where there was no memory for it.
  std::optional<RunReport> try_to_finish() {
    network.let_wait();
    std::optional<RunReport> run;
    std::vector<std::thread> threads;
    for (std::size_t r = 0; r < ranks.size(); ++r)
      threads.emplace_back([this, &run, r] {
        try {
          const test::Exposed exposed(ranks[r]->fault);
          auto report = ranks[r]->controller.finish([](RankReport&) {});
          const test::Exposed to_nothing(nullptr);
          EXPECT_EQ(report.has_value(), r == 0);
          if (r == 0)
            run = std::move(report);
        } catch (const std::bad_alloc&) {
          EXPECT_EQ(r, 0U);
        } catch (const std::exception& error) {
          ADD_FAILURE() << "rank " << r << ": " << error.what();
        }
      });
    for (auto& thread : threads)
      thread.join();
    return run;
  }
  RunReport finish() { return try_to_finish().value(); }

  /// To rank 0, as if rank 1 had sent it.
  void send_from_1(const Message& message) {
    MessageBuffer buffer;
    buffer.add(1, encode(message));
    network.send(0, {1, pack(buffer.take())});
  }

  [[nodiscard]] std::vector<std::size_t> gears() const {
    std::vector<std::size_t> all;
    for (const Machine& machine : machines)
      all.push_back(machine.gear);
    return all;
  }

  struct Rank {
    Rank(const RankSetup& s, Machine& machine, std::unique_ptr<TreeExchange> messages, int rank,
         int count, const RankNode& node, const std::optional<select::Request>& request,
         control::Background* background, const TimeModel& model)
        : setup(s), actuator(machine), meter(clock, machine, s.has_meter),
          exchange(std::move(messages)),
          controller(
              rank, count, node, request,
              {.clock = clock,
               .actuator = actuator,
               .meter = meter,
               .exchange = *exchange,
               .timeline_since = recorded(model),
               .records = model.functions.empty() ? std::function<bool()>{} : [] { return true; },
               .background = background,
               .may_rest = true,
               .idle = idle(),
               .waits_for_first = setup.waits_for_first,
               .reports_stage = setup.reports_stage,
               .energy_interval = Seconds{setup.energy_interval},
               .learns_power = setup.learns_power},
              model),
          members(static_cast<std::uint32_t>(count)), began(clock.time) {}

    /// From now on it is known what other programs take.
    void watch_others() {
      contention = StolenTime([this] { return others; });
    }

    std::function<void(Seconds)> idle() {
      if (!setup.idles)
        return {};
      return [this](Seconds time) {
        clock.time += time;
        idled += time;
      };
    }
    [[nodiscard]] std::function<model::RankTimeline(Seconds, std::size_t)>
    recorded(const TimeModel& model) {
      if (model.functions.empty())
        return {};
      return [this](Seconds from, std::size_t) { return events_since(from); };
    }
    [[nodiscard]] model::RankTimeline events_since(Seconds from) const {
      model::RankTimeline all = test::Script(script).done();
      all.begin = began;
      all.scale = controller.scale();
      all.earlier = earlier;
      return model::cut(all, from, clock.time);
    }

    /// As it passes.
    [[nodiscard]] Seconds computation_now() const {
      return Seconds{setup.computation} * controller.scale() + stolen;
    }
    void iterate(Seconds length) {
      const Seconds begin = clock.time;
      clock.time += length;
      const std::uint64_t place = setup.repeats ? site : ++unique;
      const double scale = controller.scale();
      const Seconds computation = computation_now();
      others += stolen;
      contention.computed(begin + computation);
      contention.communicated(clock.time);
      script.computes(computation.value())
          .joins(model::Shape::all, members, (length - computation).value());
      Span span{.begin = begin,
                .end = clock.time,
                .computation = computation,
                .computation_in_gear0 = computation / scale,
                .communication = length - computation,
                .calls = 1,
                .event = std::exchange(events, events + 2)};
      contention.take_from(span, scale);
      {
        const test::Exposed exposed(fault);
        if (controller.rests()) {
          span.calls += static_cast<std::size_t>(length * watching / of_sample);
          controller.add_unwatched(span);
        } else {
          watch({.place = place, .detail = place}, span);
        }
      }
      if (scale != controller.scale())
        earlier.push_back({.end = static_cast<std::uint32_t>(events), .scale = scale});
    }

    static constexpr Seconds of_sample{1e-5}; ///< what it costs to watch one call

    /// As if each call stood for many, of which one is sampled now and then.
    void watch(const LoopWatch::Call& call, const Span& span) {
      controller.add_call(call, span);
      const Seconds all = of_sample * static_cast<double>(WatchingCost::between_samples);
      for (watching_due += (span.end - span.begin) * watching; watching_due >= all;
           watching_due -= all)
        controller.add_sample(of_sample, clock.time);
    }

    RankSetup setup;
    double watching = 0; ///< what it costs, of the time
    Seconds watching_due;
    Seconds stolen; ///< of each iteration's computation, by other programs
    Seconds others; ///< in all
    StolenTime contention;
    test::AllocationFault* fault = nullptr;
    FakeClock clock;
    Seconds idled;
    FakeActuator actuator;
    FakeMeter meter;
    std::unique_ptr<TreeExchange> exchange;
    RankController controller;
    std::uint64_t site = 1;
    std::uint64_t unique = 1000;
    std::uint32_t members;
    Seconds began;
    test::Script script;
    std::uint64_t events = 0;
    std::vector<model::RankTimeline::EarlierScale> earlier;
  };

  test::Network network;
  std::vector<Machine> machines;
  std::vector<std::unique_ptr<Rank>> ranks;
};

} // namespace hypermile::runtime
