// By how much gears that are chosen from few and noisy iterations are behind the best ones:
// bench_choice_regret [--rounds N] [--only PART_OF_A_NAME].
//
// A made-up program: ranks on nodes of [F16] Table 3.1 in equal shares, each with as much to do but
// for a lasting difference, in iterations of several segments. Between them they wait for all
// others, or for two neighbours. So the truth is known: any gears can be judged by many fresh
// iterations, and the best ones be looked for with these.
#include "platforms.hpp"
#include "runtime/decide/time_model.hpp"
#include "support/scripted_timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace hypermile;
using namespace hypermile::runtime;
using Gears = std::vector<model::Gear>;

struct Program {
  const char* name;
  std::size_t ranks;
  std::size_t segments; ///< of an iteration
  bool waits_for_all;   ///< after each segment; else for two neighbours, and for all at its end
  double of_ranks;      ///< deviation of the logarithm of a rank's work, lasting
  double of_iterations; ///< likewise of one iteration of a rank
  double of_segments;   ///< likewise of one segment
  double late_once = 1; ///< one rank takes so many times as long in the first iteration
};

constexpr double iteration_s = 0.1; ///< on the slowest node
constexpr double message_s = 1e-4;

/// By rank and segment: seconds in gear 0.
using Computation = std::vector<std::vector<double>>;

class Machine {
public:
  explicit Machine(std::size_t ranks) {
    for (std::size_t r = 0; r < ranks; ++r) {
      const auto& kinds = bench::table_3_1();
      nodes_.push_back(node(kinds[r * kinds.size() / ranks], r));
    }
  }
  [[nodiscard]] const RankNode& node_of(std::size_t rank) const { return nodes_[rank]; }
  [[nodiscard]] std::size_t ranks() const { return nodes_.size(); }

private:
  static RankNode node(const bench::NodeKind& kind, std::size_t rank) {
    std::vector<Hertz> frequencies;
    for (double ghz = kind.max_ghz; ghz > kind.min_ghz - 1e-3; ghz -= kind.step_ghz)
      frequencies.emplace_back(ghz * 1e9);
    model::GearTable gears{frequencies};
    auto power = model::cubic_power(gears, Watts{kind.dynamic_w}, Watts{kind.static_w});
    return {fmt::format("node-{}", rank),
            {.name = kind.name,
             .cores = 1,
             .speed = Speed{kind.speed},
             .gears = std::move(gears),
             .power = std::move(power)}};
  }
  std::vector<RankNode> nodes_;
};

/// Iterations of a program, drawn.
class Truth {
public:
  Truth(const Program& program, const Machine& machine, std::uint64_t seed)
      : program_(program), machine_(machine), random_(seed) {
    double slowest = machine.node_of(0).type.speed.value();
    for (std::size_t r = 0; r < machine.ranks(); ++r)
      slowest = std::min(slowest, machine.node_of(r).type.speed.value());
    for (std::size_t r = 0; r < machine.ranks(); ++r)
      work_.push_back(iteration_s * slowest / machine.node_of(r).type.speed.value() *
                      noise(program.of_ranks));
  }
  Computation iteration(bool first) {
    Computation all;
    for (const double work : work_) {
      auto& of_rank = all.emplace_back();
      const double of_iteration = noise(program_.of_iterations);
      for (std::size_t s = 0; s < program_.segments; ++s)
        of_rank.push_back(work / static_cast<double>(program_.segments) * of_iteration *
                          noise(program_.of_segments));
    }
    if (first)
      for (double& segment : all[random_() % all.size()])
        segment *= program_.late_once;
    return all;
  }

private:
  double noise(double deviation) { return std::exp(deviation * normal_(random_)); }

  const Program& program_;
  const Machine& machine_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::vector<double> work_; ///< by rank, s in gear 0
};

bool waits_for_all(const Program& program, std::size_t segment) {
  return program.waits_for_all || segment + 1 == program.segments;
}

/// Lets every rank go on from `now` through an iteration. `visit(rank, segment, computed, waited)`.
template <class Visit>
void pass(const Program& program, const Computation& all, const std::vector<double>& scales,
          std::vector<double>& now, const Visit& visit) {
  std::vector<double> arrived(now.size());
  for (std::size_t s = 0; s < program.segments; ++s) {
    for (std::size_t r = 0; r < now.size(); ++r)
      arrived[r] = now[r] + all[r][s] * scales[r];
    const double last = std::ranges::max(arrived);
    for (std::size_t r = 0; r < now.size(); ++r) {
      const std::size_t left = (r + now.size() - 1) % now.size();
      const std::size_t right = (r + 1) % now.size();
      const double ready =
          waits_for_all(program, s) ? last : std::max({arrived[left], arrived[r], arrived[right]});
      now[r] = ready + message_s;
      visit(r, s, all[r][s] * scales[r], now[r] - arrived[r]);
    }
  }
}

/// What gears come to in many fresh iterations: points of distance.
class Judge {
public:
  Judge(const Machine& machine, const Program& program, Truth& truth)
      : machine_(machine), program_(program) {
    for (int i = 0; i < 60; ++i)
      fresh_.push_back(truth.iteration(false));
    const Gears gear0(machine.ranks(), 0);
    base_ = run(gear0);
  }
  [[nodiscard]] double distance(const Gears& gears) const {
    const auto [time, energy] = run(gears);
    return 100 * (base_.first / time - energy / base_.second);
  }
  /// By a local search from there on: all nodes of a kind, or one node, by a gear.
  [[nodiscard]] double best(Gears gears) const {
    double value = distance(gears);
    constexpr int enough = 3;
    bool better = true;
    for (int sweep = 0; better && sweep < enough; ++sweep) {
      better = false;
      const auto try_step = [&](std::size_t from, std::size_t to, int step) {
        Gears other = gears;
        for (std::size_t n = from; n < to; ++n) {
          const auto last = static_cast<int>(machine_.node_of(n).type.gears.size()) - 1;
          other[n] =
              static_cast<model::Gear>(std::clamp(static_cast<int>(other[n]) + step, 0, last));
        }
        const double of_other = distance(other);
        if (of_other <= value + 1e-9)
          return;
        value = of_other;
        gears = std::move(other);
        better = true;
      };
      const std::size_t kind = std::max<std::size_t>(1, gears.size() / 4);
      for (std::size_t n = 0; n < gears.size(); n += kind)
        for (const int step : {1, -1, 2, -2})
          try_step(n, n + kind, step);
      for (std::size_t n = 0; n < gears.size(); ++n)
        for (const int step : {1, -1})
          try_step(n, n + 1, step);
    }
    return value;
  }

private:
  [[nodiscard]] std::pair<double, double> run(const Gears& gears) const {
    std::vector<double> scales;
    for (std::size_t r = 0; r < gears.size(); ++r)
      scales.push_back(machine_.node_of(r).type.gears.scale(gears[r]));
    std::vector<double> now(gears.size());
    std::vector<double> computed(gears.size());
    for (const Computation& all : fresh_)
      pass(program_, all, scales, now,
           [&](std::size_t r, std::size_t, double computing, double) { computed[r] += computing; });
    const double time = std::ranges::max(now);
    double energy = 0;
    for (std::size_t r = 0; r < gears.size(); ++r) {
      const model::GearPower& power = machine_.node_of(r).type.power[gears[r]];
      energy +=
          power.waiting.value() * time + (power.computing - power.waiting).value() * computed[r];
    }
    return {time, energy};
  }

  const Machine& machine_;
  const Program& program_;
  std::vector<Computation> fresh_;
  std::pair<double, double> base_;
};

/// What rank 0 is told after so many iterations in gear 0; events of the last `recorded` of them.
std::vector<Measurement> measured(const Program& program, const Machine& machine, Truth& truth,
                                  std::size_t iterations, std::size_t recorded) {
  const std::size_t ranks = machine.ranks();
  std::vector<test::Script> scripts(ranks);
  std::vector<Measurement> all;
  for (std::size_t r = 0; r < ranks; ++r)
    all.push_back({.rank = static_cast<int>(r), .node = machine.node_of(r)});
  std::vector<double> now(ranks);
  std::vector<double> begins(ranks);
  std::vector<std::uint64_t> events(ranks);
  for (std::size_t i = 0; i < iterations; ++i) {
    const bool is_recorded = i + recorded >= iterations;
    std::vector<double> computed(ranks);
    if (i + recorded == iterations)
      begins = now;
    if (is_recorded)
      for (std::size_t r = 0; r < ranks; ++r)
        all[r].iterations.push_back(events[r]);
    pass(program, truth.iteration(i == 0), std::vector<double>(ranks, 1), now,
         [&](std::size_t r, std::size_t s, double computing, double waited) {
           computed[r] += computing;
           if (!is_recorded)
             return;
           test::Script& script = scripts[r].computes(computing);
           const auto left = static_cast<int>((r + ranks - 1) % ranks);
           const auto right = static_cast<int>((r + 1) % ranks);
           if (waits_for_all(program, s)) {
             script.joins(model::Shape::all, static_cast<std::uint32_t>(ranks), waited);
             events[r] += 2;
           } else {
             script.starts_receive(left)
                 .starts_receive(right, 8, 1)
                 .starts_send(right)
                 .starts_send(left, 8, 1);
             script.waits_for(4, waited);
             events[r] += 8;
           }
         });
    for (std::size_t r = 0; r < ranks; ++r)
      all[r].computations.emplace_back(computed[r]);
  }
  for (std::size_t r = 0; r < ranks; ++r) {
    Measurement& m = all[r];
    m.iterations.push_back(events[r]);
    const Seconds sum = std::accumulate(m.computations.begin(), m.computations.end(), Seconds{});
    m.computation = m.computation_in_gear0 = sum / static_cast<double>(iterations);
    m.communication = Seconds{now[r]} / static_cast<double>(iterations) - m.computation;
    m.elapsed = Seconds{now[r]};
    m.measured_iterations = iterations;
    m.timeline = scripts[r].done();
    m.timeline->begin = Seconds{begins[r]};
  }
  return all;
}

struct Result {
  double regret = 0;
  double best = 0;
};

Result choose(const Program& program, std::size_t iterations, std::uint64_t seed) {
  const Machine machine(program.ranks);
  Truth truth(program, machine, seed);
  const auto told =
      measured(program, machine, truth, iterations, std::min<std::size_t>(iterations, 4));
  const Judge judge(machine, program, truth);
  const TimeModel model{.functions = {"Allreduce"}};
  SlowdownBudget budget;
  DecisionBudget decision_budget(model.stopwatch, model.think);
  const auto choice = choose_by_dependencies(told, {}, model, budget, decision_budget);
  const Gears gears = choice ? choice->decision.gears : Gears(program.ranks, 0);
  const double best = judge.best(gears);
  return {best - judge.distance(gears), best};
}

const std::vector<Program> programs{
    {"no noise, 8 ranks", 8, 4, true, 0.03, 0, 0},
    {"2 % by iteration, 8 ranks", 8, 4, true, 0.03, 0.02, 0},
    {"10 % by iteration, 8 ranks", 8, 4, true, 0.03, 0.1, 0},
    {"30 % by iteration, 8 ranks", 8, 4, true, 0.03, 0.3, 0},
    {"one rank 1.5 x late once, 8 ranks", 8, 4, true, 0.03, 0.02, 0, 1.5},
    {"10 % by segment, 8 ranks", 8, 4, true, 0.03, 0, 0.1},
    {"10 % by segment, 8 neighbours", 8, 4, false, 0.03, 0, 0.1},
    {"2 % by iteration, 64 ranks", 64, 4, true, 0.03, 0.02, 0},
    {"10 % by iteration, 64 ranks", 64, 4, true, 0.03, 0.1, 0},
    {"10 % by segment, 64 ranks", 64, 4, true, 0.03, 0, 0.1},
    {"20 % by segment, 64 ranks", 64, 4, true, 0.03, 0, 0.2},
    {"20 % by segment, 64 neighbours", 64, 4, false, 0.03, 0, 0.2},
    {"10 % by segment, 128 neighbours", 128, 4, false, 0.03, 0, 0.1},
};

} // namespace

int main(int argc, char** argv) {
  std::uint64_t rounds = 2;
  std::string only;
  for (int i = 1; i + 1 < argc; i += 2)
    if (std::string_view(argv[i]) == "--only")
      only = argv[i + 1];
    else
      rounds = std::strtoul(argv[i + 1], nullptr, 10);
  const std::vector<std::size_t> after{1, 2, 3, 5, 16};
  fmt::print("Regret in points, mean of {} choices after so many iterations\n\n{:36}", rounds,
             "noise");
  for (const std::size_t iterations : after)
    fmt::print(" {:>6}", iterations);
  fmt::print(" {:>6}\n", "best");
  for (const Program& program : programs) {
    if (std::string_view(program.name).find(only) == std::string_view::npos)
      continue;
    fmt::print("{:36}", program.name);
    double best = 0;
    for (const std::size_t iterations : after) {
      double sum = 0;
      for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
        const Result result = choose(program, iterations, seed);
        sum += result.regret;
        best += result.best;
      }
      fmt::print(" {:6.1f}", sum / static_cast<double>(rounds));
    }
    fmt::print(" {:6.1f}\n", best / static_cast<double>(rounds * after.size()));
    std::fflush(stdout);
  }
}
