#include "replay/random_run.hpp"

#include <random>

namespace hypermile::test {
namespace {

using model::Action;

class Maker {
public:
  explicit Maker(std::uint32_t seed) : random_(seed) {}

  replay::RecordedRun run() {
    replay::RecordedRun run{.program = "./app --size 7",
                            .platform = "table-3.1",
                            .nodes = {},
                            .speeds = {},
                            .timeline = {.functions = {"Send", "Irecv", "Wait", "Allreduce",
                                                       "Comm_split", "Sleep", "Test"},
                                         .ranks = {}}};
    const std::uint32_t ranks = number(1, 5);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      run.nodes.push_back("node-" + std::to_string(rank));
      run.speeds.emplace_back(1e9 * number(1, 100));
      run.timeline.ranks.push_back(rank_timeline(ranks, run.speeds.back()));
    }
    return run;
  }

private:
  std::uint32_t number(std::uint32_t least, std::uint32_t most) {
    return std::uniform_int_distribution<std::uint32_t>(least, most)(random_);
  }

  model::RankTimeline rank_timeline(std::uint32_t ranks, Speed speed) {
    model::RankTimeline rank;
    rank.arguments = {{.in_place = number(0, 1) == 1,
                       .out = {8, {number(0, 1000), 3}},
                       .in = {1, {}},
                       .made = 0,
                       .members = {}},
                      {.in_place = false,
                       .out = {},
                       .in = {},
                       .made = ~std::uint64_t{0} - number(0, 9),
                       .members = {number(0, ranks - 1)}}};
    const auto partner = static_cast<std::int32_t>(number(0, ranks - 1));
    rank.operations = {
        {.action = Action::send,
         .function = 0,
         .partner = partner,
         .tag = -1,
         .bytes = 1ULL << 40U},
        {.action = Action::receive, .function = 1, .partner = partner, .tag = 7, .from_any = true},
        {.action = Action::complete, .function = 2, .site = 3, .detail = 9},
        {.action = Action::arrive, .function = 3, .members = ranks, .site = 1, .arguments = 1},
        {.action = Action::arrive, .function = 4, .members = ranks, .arguments = 2},
        {.action = Action::other, .function = 5},
        {.action = Action::other, .function = 6}};
    for (std::uint32_t call = number(0, 300); call > 0; --call)
      add_call(rank);
    rank.work.emplace_back(number(0, 1000));
    set_times(rank, speed);
    return rank;
  }

  void add_call(model::RankTimeline& rank) {
    rank.work.emplace_back(number(0, 2) == 0 ? 0.0 : 1e3 * number(1, 4'000'000));
    const std::uint32_t what = number(0, 6);
    rank.events.push_back({.operation = what == 2 ? 1 : what});
    if (what != 1 && what < 5) { // one that waits
      rank.events.push_back({.operation = 2});
      rank.events.back().started = 1;
    }
    rank.events.back().ends_call = 1;
    if (what == 5)
      rank.events.back().duration = 0.25F * static_cast<float>(number(1, 9));
  }

  /// As far as they are kept.
  static void set_times(model::RankTimeline& rank, Speed speed) {
    std::size_t call = 0;
    bool begins = true;
    for (model::Event& event : rank.events) {
      if (begins)
        event.computation = static_cast<float>((rank.work[call++] / speed).value());
      begins = event.ends_call == 1;
    }
    rank.computation_after = rank.work.back() / speed;
  }

  std::mt19937 random_;
};

} // namespace

replay::RecordedRun random_run(std::uint32_t seed) { return Maker(seed).run(); }

} // namespace hypermile::test
