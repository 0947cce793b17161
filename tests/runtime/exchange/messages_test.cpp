#include "runtime/exchange/messages.hpp"

#include "support/nodes.hpp"
#include "support/scripted_timeline.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <random>

namespace hypermile::runtime {
namespace {

template <class T> T sent(const T& message) { return std::get<T>(decode(encode(message))); }

void expect_equal(const RankNode& a, const RankNode& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.type.name, b.type.name);
  EXPECT_EQ(a.type.cores, b.type.cores);
  EXPECT_EQ(a.type.speed, b.type.speed);
  EXPECT_EQ(a.type.frequencies_known, b.type.frequencies_known);
  EXPECT_EQ(a.type.site, b.type.site);
  EXPECT_EQ(a.type.power_limits, b.type.power_limits);
  EXPECT_EQ(a.type.uncore, b.type.uncore);
  ASSERT_EQ(a.type.gears.size(), b.type.gears.size());
  for (model::Gear g = 0; g < a.type.gears.size(); ++g) {
    EXPECT_EQ(a.type.gears.frequency(g), b.type.gears.frequency(g));
    EXPECT_EQ(a.type.power[g].computing, b.type.power[g].computing);
    EXPECT_EQ(a.type.power[g].waiting, b.type.power[g].waiting);
    EXPECT_EQ(a.type.power[g].idle, b.type.power[g].idle);
  }
}

void expect_equal(const LoopReport& a, const LoopReport& b) {
  EXPECT_EQ(a.found, b.found);
  EXPECT_EQ(a.description, b.description);
  EXPECT_EQ(a.iterations, b.iterations);
  EXPECT_EQ(a.first_iteration, b.first_iteration);
  EXPECT_EQ(a.computation, b.computation);
  EXPECT_EQ(a.calls, b.calls);
  EXPECT_EQ(a.calls_before, b.calls_before);
  EXPECT_EQ(a.computation_before, b.computation_before);
  EXPECT_EQ(a.total, b.total);
}

void expect_equal(const RankReport& a, const RankReport& b) {
  EXPECT_EQ(a.rank, b.rank);
  expect_equal(a.node, b.node);
  expect_equal(a.loop, b.loop);
  ASSERT_EQ(a.changes.size(), b.changes.size());
  for (std::size_t i = 0; i < a.changes.size(); ++i) {
    EXPECT_EQ(a.changes[i].time, b.changes[i].time);
    EXPECT_EQ(a.changes[i].gear, b.changes[i].gear);
    EXPECT_EQ(a.changes[i].iteration, b.changes[i].iteration);
    EXPECT_EQ(a.changes[i].calls, b.changes[i].calls);
    EXPECT_EQ(a.changes[i].energy, b.changes[i].energy);
    EXPECT_EQ(a.changes[i].computation, b.changes[i].computation);
    EXPECT_EQ(a.changes[i].in_effect, b.changes[i].in_effect);
    EXPECT_EQ(a.changes[i].stolen, b.changes[i].stolen);
  }
  EXPECT_EQ(a.gear, b.gear);
  EXPECT_EQ(a.fastest, b.fastest);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.computation, b.computation);
  EXPECT_EQ(a.communication, b.communication);
  EXPECT_EQ(a.overhead, b.overhead);
  EXPECT_EQ(a.in_init, b.in_init);
  EXPECT_EQ(a.in_finalize, b.in_finalize);
  EXPECT_EQ(a.calls, b.calls);
  EXPECT_EQ(a.energy, b.energy);
  ASSERT_EQ(a.readings.size(), b.readings.size());
  for (std::size_t i = 0; i < a.readings.size(); ++i) {
    EXPECT_EQ(a.readings[i].time, b.readings[i].time);
    EXPECT_EQ(a.readings[i].energy, b.readings[i].energy);
  }
  EXPECT_EQ(a.switches, b.switches);
  EXPECT_EQ(a.divergences, b.divergences);
  EXPECT_EQ(a.from_like_calls, b.from_like_calls);
  EXPECT_EQ(a.failure, b.failure);
  ASSERT_EQ(a.access.has_value(), b.access.has_value());
  if (a.access) {
    EXPECT_EQ(a.access->backend, b.access->backend);
    EXPECT_EQ(a.access->meter, b.access->meter);
    EXPECT_EQ(a.access->power_assumed, b.access->power_assumed);
    EXPECT_EQ(a.access->assumed, b.access->assumed);
    EXPECT_EQ(a.access->remarks, b.access->remarks);
  }
  EXPECT_EQ(a.stolen, b.stolen);
  EXPECT_EQ(a.wait_gear, b.wait_gear);
  ASSERT_EQ(a.last.has_value(), b.last.has_value());
  if (a.last) {
    EXPECT_EQ(a.last->phase, b.last->phase);
    EXPECT_EQ(a.last->iterations, b.last->iterations);
    EXPECT_EQ(a.last->computation, b.last->computation);
    EXPECT_EQ(a.last->communication, b.last->communication);
    EXPECT_EQ(a.last->calls, b.last->calls);
    EXPECT_EQ(a.last->stolen, b.last->stolen);
  }
}

/// Figures that need all their digits, text that needs quoting.
RankReport example_report(int rank) {
  RankReport report{.rank = rank,
                    .node = test::node("node \"5\" \\ ü", 4),
                    .loop = {.found = LoopReport::Found::pattern,
                             .description = "loop of (3 MPI calls)",
                             .iterations = 1ULL << 40,
                             .first_iteration = Seconds{0.1},
                             .total = Seconds{1.0 / 3},
                             .computation = Seconds{1.0 / 6},
                             .calls = 77,
                             .calls_before = 5,
                             .computation_before = Seconds{1.0 / 70}},
                    .changes = {{Seconds{0.2}, 1, 17, 90, Seconds{0.1}, Joules{1.0 / 7}},
                                {Seconds{0.3}, 0, 18, 95, Seconds{1.0 / 9}, std::nullopt, false}},
                    .gear = 1,
                    .fastest = 1,
                    .time = Seconds{12.3456789012345678},
                    .computation = Seconds{7e-9},
                    .communication = Seconds{1e9},
                    .overhead = Seconds{1e-300},
                    .calls = 123456789012,
                    .energy = Joules{100.0 / 3},
                    .readings = {{Seconds{0.1}, Joules{1.0 / 3}}, {Seconds{0.2}, Joules{2.0 / 3}}},
                    .switches = 7,
                    .divergences = 3,
                    .from_like_calls = 4,
                    .failure = "cannot set\nthe gear",
                    .access = NodeAccess{.backend = "cpufreq",
                                         .meter = "2 packages",
                                         .power_assumed = true,
                                         .assumed = "type1",
                                         .remarks = {"a", "\"b\""}},
                    .last = LastIterations{.phase = 2,
                                           .iterations = 9,
                                           .computation = Seconds{0.7},
                                           .communication = Seconds{1.0 / 11},
                                           .calls = 2.5,
                                           .stolen = 1.0 / 13},
                    .stolen = Seconds{1.0 / 17},
                    .wait_gear = WaitGearUse{.set = true,
                                             .pays = true,
                                             .gear = 1,
                                             .times = 12,
                                             .time = Seconds{1.0 / 23},
                                             .saved = Joules{1.0 / 29},
                                             .late = Seconds{1.0 / 31},
                                             .cost = Seconds{1.0 / 37},
                                             .change = Seconds{1.0 / 41},
                                             .cpu = Seconds{1.0 / 43},
                                             .problem = "busy"}};
  report.changes[0].stolen = Seconds{1.0 / 19};
  report.node.type.frequencies_known = false;
  report.node.type.site = "lyon";
  return report;
}

TEST(messages, a_timeline_arrives_as_it_was_sent) {
  test::Script script;
  script.computes(0.1).starts_receive(3, 77, -1).joins(model::Shape::scan, 4, 1.0 / 3, 2);
  script.waits_for(1, 0.5).probes(2, 1e-7).computes(2);
  Measurement m{.node = test::node("n", 2), .timeline = script.done()};
  m.timeline->begin = Seconds{1.0 / 7};
  m.timeline->scale = 1.25;
  m.timeline->before = {9, 0, 1, 0, 0, 3};
  m.timeline->operations.resize(6);
  m.timeline->operations[1].communicator = ~std::uint64_t{0};
  m.timeline->incomplete = "too much";
  m.timeline->pauses = {{0, Seconds{1e-5}}, {1, Seconds{0.1}}};
  const model::RankTimeline sent_timeline = *m.timeline;
  const auto r = sent(m).timeline;
  ASSERT_TRUE(r);
  EXPECT_EQ(r->begin, sent_timeline.begin);
  EXPECT_EQ(r->operations, sent_timeline.operations);
  EXPECT_EQ(r->before, sent_timeline.before);
  EXPECT_EQ(r->pauses, sent_timeline.pauses);
  EXPECT_EQ(r->scale, 1.25);
  EXPECT_EQ(r->computation_after, sent_timeline.computation_after);
  EXPECT_EQ(r->incomplete, "too much");
  ASSERT_EQ(r->events.size(), sent_timeline.events.size());
  for (std::size_t i = 0; i < r->events.size(); ++i) {
    const model::Event& a = r->events[i];
    const model::Event& b = sent_timeline.events[i];
    EXPECT_EQ(a.operation, b.operation);
    EXPECT_EQ(a.started, b.started);
    EXPECT_EQ(a.ends_call, b.ends_call);
    EXPECT_NEAR(a.computation, b.computation, 1e-9F);
    EXPECT_NEAR(a.duration, b.duration, 1e-9F);
  }
}

TEST(messages, a_timeline_keeps_its_moments_and_needs_a_few_bytes_per_event) {
  model::RankTimeline timeline;
  timeline.operations = {{.action = model::Action::receive}, {.action = model::Action::complete}};
  for (int i = 0; i < 10'000; ++i) {
    timeline.events.push_back({.operation = 0, .computation = 1e-5F + 0.4e-9F});
    timeline.events.push_back({.operation = 1, .duration = 1e-4F / 3});
    timeline.events.back().started = 1;
    timeline.events.back().ends_call = 1;
  }
  const Measurement m{.node = test::node("n"), .timeline = timeline};
  const Seconds end = model::end(*m.timeline);
  const std::size_t events = m.timeline->events.size();
  const Bytes bytes = encode(m);
  EXPECT_LT(bytes.size(), 5 * events);
  const auto received = std::get<Measurement>(decode(bytes)).timeline;
  EXPECT_NEAR(model::end(*received).value(), end.value(), 1e-7);
}

TEST(messages, a_timeline_that_completes_what_did_not_begin_is_refused) {
  test::Script script;
  script.starts_receive(1).waits_for(1, 0.5);
  Measurement m{.node = test::node("n", 2), .timeline = script.done()};
  m.timeline->events[1].started = 2;
  EXPECT_THROW((void)sent(m), Error);
}

TEST(messages, a_timeline_with_pauses_that_make_no_sense_is_refused) {
  using Pauses = std::vector<model::RankTimeline::Pause>;
  test::Script script;
  script.calls(1).calls(1);
  Measurement m{.node = test::node("n", 2), .timeline = script.done()};
  for (const Pauses& pauses :
       {Pauses{{2, Seconds{1}}}, Pauses{{1, Seconds{0}}}, Pauses{{1, Seconds{-1}}},
        Pauses{{1, Seconds{1}}, {1, Seconds{1}}}, Pauses{{1, Seconds{1}}, {0, Seconds{1}}}}) {
    m.timeline->pauses = pauses;
    EXPECT_THROW((void)sent(m), Error);
  }
}

TEST(messages, a_measurement_arrives_as_it_was_sent) {
  const Measurement m{.rank = 5,
                      .node = test::node("n", 2),
                      .phase = 3,
                      .gear = 1,
                      .computation = Seconds{0.1},
                      .computation_in_gear0 = Seconds{1.0 / 3},
                      .communication = Seconds{1e-9},
                      .power = {{Seconds{1.0 / 3}, 1, Seconds{0.1}, Joules{1.0 / 9}, false},
                                {Seconds{0.5}, 0, Seconds{0.2}, std::nullopt, true}},
                      .deviation = Seconds{1.0 / 7},
                      .stolen = 0.3,
                      .timeline = std::nullopt};
  const Measurement r = sent(m);
  ASSERT_EQ(r.power.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(r.power[i].time, m.power[i].time);
    EXPECT_EQ(r.power[i].gear, m.power[i].gear);
    EXPECT_EQ(r.power[i].computing, m.power[i].computing);
    EXPECT_EQ(r.power[i].drawn, m.power[i].drawn);
    EXPECT_EQ(r.power[i].after_gap, m.power[i].after_gap);
  }
  EXPECT_EQ(r.deviation, m.deviation);
  EXPECT_EQ(r.stolen, m.stolen);
  EXPECT_FALSE(r.timeline);
  EXPECT_EQ(r.rank, m.rank);
  expect_equal(r.node, m.node);
  EXPECT_EQ(r.phase, m.phase);
  EXPECT_EQ(r.gear, m.gear);
  EXPECT_EQ(r.computation, m.computation);
  EXPECT_EQ(r.computation_in_gear0, m.computation_in_gear0);
  EXPECT_EQ(r.communication, m.communication);
}

TEST(messages, a_measurement_leaves_out_a_node_that_is_known) {
  const Measurement first{.node = test::many_gears("n"), .gear = 7, .timeline = std::nullopt};
  Measurement later = first;
  later.node_is_known = true;
  EXPECT_TRUE(sent(later).node_is_known);
  EXPECT_EQ(sent(later).gear, 7U);
  EXPECT_LT(encode(later).size(), 200U);
  EXPECT_GT(encode(first).size(), encode(later).size() + 21 * 8 * 3);
}

TEST(messages, a_measurement_tells_long_numbers_of_communicators_once) {
  const auto size = [](std::uint64_t communicator) {
    Measurement m{.node = test::node("n"), .timeline = model::RankTimeline{}};
    for (std::uint32_t i = 0; i < 20; ++i)
      m.timeline->operations.push_back({.members = i, .communicator = communicator});
    EXPECT_EQ(sent(m).timeline->operations, m.timeline->operations);
    return encode(m).size();
  };
  EXPECT_LE(size(std::uint64_t{1} << 63U), size(1) + 10);
}

TEST(messages, an_order_arrives_as_it_was_sent) {
  EXPECT_EQ(sent(GearOrder{.after = 300}).after, 300U);
  EXPECT_EQ(sent(GearOrder{.gear = 13}).gear, 13u);
  EXPECT_TRUE(sent(GearOrder{.set_it = true}).set_it);
  EXPECT_FALSE(sent(GearOrder{.look_again = true}).set_it);
  EXPECT_TRUE(sent(GearOrder{.look_again = true}).look_again);
  EXPECT_FALSE(sent(GearOrder{.set_it = true}).look_again);
  EXPECT_TRUE(sent(GearOrder{.any_gear = true}).any_gear);
  EXPECT_FALSE(sent(GearOrder{.before_loop = true}).any_gear);
}

TEST(messages, a_drift_arrives_as_it_was_sent) {
  EXPECT_EQ(sent(Drifted{.rank = 7, .orders = 3}).rank, 7);
  EXPECT_EQ(sent(Drifted{.rank = 7, .orders = 3}).orders, 3U);
}

TEST(messages, a_common_stage_arrives_as_it_was_sent) {
  EXPECT_EQ(sent(CommonStage{5}).orders, 5U);
}

TEST(messages, those_without_content_keep_their_kind) {
  (void)sent(Remeasure{});
  EXPECT_TRUE(sent(Ask{.meant = true}).meant);
  (void)sent(Withdrawal{});
  (void)sent(Stay{});
}

TEST(messages, a_rank_report_arrives_as_it_was_sent) {
  expect_equal(sent(example_report(3)), example_report(3));
  RankReport unmetered = example_report(0);
  unmetered.energy = std::nullopt;
  unmetered.changes.clear();
  unmetered.loop = {};
  unmetered.last = std::nullopt;
  expect_equal(sent(unmetered), unmetered);
}

TEST(messages, a_node_keeps_its_settings_and_one_for_each_gear_is_demanded) {
  RankReport report{.rank = 1, .node = test::node("a")};
  report.node.type.power_limits = {Watts{150}, Watts{80.5}};
  report.node.type.frequencies_known = false;
  expect_equal(sent(report), report);
  report.node.type.power_limits.pop_back();
  EXPECT_THROW((void)sent(report), Error);
  report.node.type.power_limits.clear();
  report.node.type.uncore = {Hertz{2.4e9}, Hertz{1.6e9}};
  expect_equal(sent(report), report);
  report.node.type.uncore.emplace_back(1e9);
  EXPECT_THROW((void)sent(report), Error);
}

TEST(messages, garbage_is_an_error) {
  EXPECT_THROW((void)decode({}), Error);
  EXPECT_THROW((void)decode({0xff, 0x00, 0x17}), Error);
  EXPECT_THROW((void)decode({'h', 'e', 'l', 'l', 'o'}), Error);
  EXPECT_THROW((void)decode({0x01}), Error);
  Bytes longer = encode(Withdrawal{});
  longer.push_back(0);
  EXPECT_THROW((void)decode(longer), Error);
}

TEST(messages, every_truncated_message_is_an_error) {
  const Bytes whole = encode(example_report(3));
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_THROW((void)decode({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}),
                 Error)
        << size;
}

TEST(messages, damaged_messages_are_read_or_refused_but_never_worse) {
  const Bytes whole = encode(example_report(3));
  std::mt19937 random(3);
  std::size_t refused = 0;
  for (int round = 0; round < 2000; ++round) {
    Bytes damaged = whole;
    for (int i = 0; i < 3; ++i)
      damaged[random() % damaged.size()] = static_cast<std::uint8_t>(random());
    try {
      (void)decode(damaged);
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0u);
}

RunReport example_run() {
  RunReport run;
  run.ranks = {example_report(0), example_report(1)};
  run.decisions.push_back({.nodes = {"a", "b"},
                           .gears = {1, 0},
                           .baseline = {Seconds{0.1}, Joules{1.0 / 3}},
                           .prediction = {.time = Seconds{0.2},
                                          .energy = Joules{0.7},
                                          .p_norm = 0.1,
                                          .e_norm = 0.3,
                                          .distance = -0.2},
                           .exact = true,
                           .gap = 0.25,
                           .violated = {"slowdown"},
                           .declined = "why",
                           .stepped_back = "how",
                           .measured_time_ratio = 1.0 / 3,
                           .misfit = Misfit{Seconds{3}, 1.5, 0.9}});
  run.decisions.push_back(run.decisions[0]);
  run.decisions[1].gap = std::nullopt;
  run.decisions[1].exact = false;
  run.decisions[1].measured_time_ratio = std::nullopt;
  run.decisions[1].misfit = std::nullopt;
  run.decisions[0].phase = 1;
  run.decisions[0].again = true;
  run.phases = {{0, 0}, {1, 0}};
  run.without_loop = {1};
  LearntPower learnt{.type = run.ranks[0].node.type,
                     .assumed = true,
                     .nodes = 3,
                     .from_earlier = true,
                     .in_use = true,
                     .why_not = "why",
                     .noise = 1.0 / 7};
  learnt.gears = {{Seconds{1.0 / 3}, {0.3, 0.2, 0.4}, {0.2, 0.1, 0.3}}, {}};
  learnt.table = {{Watts{3}, Watts{2}, Watts{1}}, {Watts{1}, Watts{1}, Watts{0.5}}};
  learnt.sums[1] = {1, 2, 3, 4, 5, 6, 7, 1.0 / 3};
  run.power = {learnt};
  run.example = {
      .timeline = {.functions = {"Recv"},
                   .ranks = {test::Script().computes(1.0 / 4).pauses(0.5).calls(2).done(),
                             test::Script().computes(1).done()}},
      .begin = Seconds{1.0 / 3},
      .iterations = 1.5,
      .scales = {1, 1.25}};
  run.example->timeline.ranks[0].sensitivity = {0.5};
  run.protocol = {
      .synchronous_from = 4096, .starts_at_receive = true, .eager_below = 512, .known = true};
  return run;
}

void expect_is_read_back(const RunReport& read) {
  const RunReport run = example_run();
  ASSERT_EQ(read.ranks.size(), 2u);
  expect_equal(read.ranks[1], run.ranks[1]);
  ASSERT_EQ(read.power.size(), 1u);
  const LearntPower& learnt = read.power[0];
  EXPECT_EQ(learnt.type.name, run.power[0].type.name);
  EXPECT_TRUE(learnt.assumed && learnt.from_earlier && learnt.in_use);
  EXPECT_EQ(learnt.nodes, 3u);
  EXPECT_EQ(learnt.why_not, "why");
  EXPECT_EQ(learnt.noise, 1.0 / 7);
  EXPECT_EQ(learnt.gears.at(0).metered, Seconds{1.0 / 3});
  EXPECT_EQ(learnt.gears.at(0).computing.high, 0.4);
  EXPECT_EQ(learnt.gears.at(0).waiting.low, 0.1);
  EXPECT_EQ(learnt.table, run.power[0].table);
  EXPECT_EQ(learnt.sums, run.power[0].sums);
  EXPECT_EQ(read.without_loop, run.without_loop);
  EXPECT_EQ(read.phases, run.phases);
  ASSERT_TRUE(read.example);
  EXPECT_EQ(read.example->timeline.functions, run.example->timeline.functions);
  EXPECT_EQ(read.example->begin, run.example->begin);
  EXPECT_EQ(read.example->iterations, 1.5);
  EXPECT_EQ(read.example->scales, run.example->scales);
  for (std::size_t r = 0; r < 2; ++r) {
    const auto& [was, is] =
        std::pair(run.example->timeline.ranks[r], read.example->timeline.ranks.at(r));
    EXPECT_EQ(is.sensitivity, was.sensitivity);
    EXPECT_EQ(is.pauses, was.pauses);
    EXPECT_EQ(model::end(is), model::end(was));
  }
  ASSERT_TRUE(read.protocol);
  EXPECT_EQ(read.protocol->synchronous_from, 4096u);
  EXPECT_EQ(read.protocol->eager_below, 512u);
  EXPECT_TRUE(read.protocol->starts_at_receive);
  EXPECT_TRUE(read.protocol->known);
  EXPECT_FALSE(read.protocol->moves_in_calls);
  ASSERT_EQ(read.decisions.size(), 2u);
  const Decision& decision = read.decisions[0];
  EXPECT_EQ(decision.phase, 1u);
  EXPECT_TRUE(decision.again);
  EXPECT_EQ(decision.nodes, run.decisions[0].nodes);
  EXPECT_EQ(decision.gears, run.decisions[0].gears);
  EXPECT_EQ(decision.baseline.time, run.decisions[0].baseline.time);
  EXPECT_EQ(decision.baseline.energy, run.decisions[0].baseline.energy);
  EXPECT_EQ(decision.prediction.time, run.decisions[0].prediction.time);
  EXPECT_EQ(decision.prediction.energy, run.decisions[0].prediction.energy);
  EXPECT_EQ(decision.prediction.p_norm, 0.1);
  EXPECT_EQ(decision.prediction.e_norm, 0.3);
  EXPECT_EQ(decision.prediction.distance, -0.2);
  EXPECT_EQ(decision.stepped_back, "how");
  EXPECT_EQ(decision.measured_time_ratio, 1.0 / 3);
  EXPECT_FALSE(read.decisions[1].measured_time_ratio);
  ASSERT_TRUE(decision.misfit);
  EXPECT_EQ(decision.misfit->time, Seconds{3});
  EXPECT_EQ(decision.misfit->time_ratio, 1.5);
  EXPECT_EQ(decision.misfit->energy_ratio, 0.9);
  EXPECT_FALSE(read.decisions[1].misfit);
  EXPECT_TRUE(decision.exact);
  EXPECT_EQ(decision.gap, 0.25);
  EXPECT_EQ(decision.violated, run.decisions[0].violated);
  EXPECT_EQ(decision.declined, "why");
  EXPECT_FALSE(read.decisions[1].gap);
  EXPECT_FALSE(read.decisions[1].exact);
}

TEST(run_report, arrives_as_it_was_sent) {
  const std::string whole = encode_run(example_run());
  expect_is_read_back(decode_run(whole));
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_THROW((void)decode_run(whole.substr(0, size)), Error) << size;
  EXPECT_THROW((void)decode_run(whole + "x"), Error);
}

} // namespace
} // namespace hypermile::runtime
