#include "program.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

namespace random_programs {
namespace {

class Dice {
public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}

  double uniform(double from, double to) {
    return from + (to - from) * static_cast<double>(engine_() >> 11U) * 0x1p-53;
  }
  double log_uniform(double from, double to) {
    return std::exp(uniform(std::log(from), std::log(to)));
  }
  int whole(int from, int to) { // both may come
    return from + static_cast<int>(uniform(0, to - from + 1));
  }
  bool happens(double probability) { return uniform(0, 1) < probability; }

private:
  std::mt19937_64 engine_;
};

/// A number for one rank in one iteration, whatever was asked for before.
std::uint64_t hash(std::uint64_t seed, int rank, int iteration, std::size_t what) {
  std::uint64_t x = seed;
  for (const std::uint64_t word :
       {static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(iteration),
        static_cast<std::uint64_t>(what)}) { // splitmix64
    x += 0x9e3779b97f4a7c15U * (word + 1);
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    x ^= x >> 31U;
  }
  return x;
}

double normal(std::uint64_t random) {
  const double u = (static_cast<double>(random >> 32U) + 1) * 0x1p-32;
  const double v = static_cast<double>(random & 0xffffffffU) * 0x1p-32;
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

Step draw_step(Dice& dice, int ranks, double seconds) {
  Step step;
  step.pattern = static_cast<Pattern>(dice.whole(0, 9));
  step.bytes = static_cast<int>(dice.log_uniform(8, 200'000)) / 8 * 8;
  step.root = dice.whole(0, ranks - 1);
  step.trips = dice.happens(0.5) ? 1 : dice.whole(2, 6);
  step.varies = step.trips > 1 && dice.happens(0.2);
  step.hidden = dice.uniform(0.3, 1);
  const double imbalance = dice.happens(0.4) ? 0 : dice.uniform(0.1, 0.6);
  for (int r = 0; r < ranks; ++r)
    step.seconds.push_back(seconds / step.trips * (1 - imbalance * dice.uniform(0, 1)));
  return step;
}

std::vector<Step> draw_steps(Dice& dice, int ranks, int most, double seconds) {
  const int count = dice.whole(1, most);
  std::vector<Step> steps;
  for (int s = 0; s < count; ++s)
    steps.push_back(draw_step(dice, ranks, seconds * dice.uniform(0.3, 1.7) / count));
  return steps;
}

Delay draw_delay(Dice& dice, const Program& program, bool ends) {
  Delay delay;
  delay.rank = dice.whole(0, program.ranks - 1);
  delay.from = dice.whole(0, program.iterations - 1);
  delay.to =
      ends ? std::min(program.iterations,
                      delay.from + 1 + static_cast<int>(dice.uniform(0, 0.2) * program.iterations))
           : program.iterations;
  delay.factor = dice.uniform(1.2, 2.5);
  return delay;
}

/// One rank on its way through the program.
class Walk {
public:
  Walk(const Program& program, int rank, Calls& calls)
      : program_(program), rank_(rank), calls_(calls) {}

  void run() {
    for_persistent([this](std::size_t number, const Step& step) {
      calls_.prepare(number, before(), after(), step.bytes);
    });
    for (iteration_ = 0; iteration_ < program_.iterations; ++iteration_) {
      what_ = 0;
      if (program_.rebuild_every > 0 && iteration_ % program_.rebuild_every == 0)
        carry_out(program_.rebuild, program_.phases.size());
      const std::size_t phase =
          static_cast<std::size_t>(iteration_ / program_.phase_length) % program_.phases.size();
      carry_out(program_.phases[phase], phase);
    }
    calls_.allreduce(8);
    for_persistent([this](std::size_t number, const Step&) { calls_.release(number); });
  }

private:
  static constexpr std::size_t most_steps = 16;

  [[nodiscard]] int before() const { return (rank_ + program_.ranks - 1) % program_.ranks; }
  [[nodiscard]] int after() const { return (rank_ + 1) % program_.ranks; }

  template <class Do> void for_persistent(const Do& act) const {
    for (std::size_t p = 0; p <= program_.phases.size(); ++p) {
      const auto& steps = p < program_.phases.size() ? program_.phases[p] : program_.rebuild;
      for (std::size_t s = 0; s < steps.size(); ++s)
        if (steps[s].pattern == Pattern::persistent)
          act(p * most_steps + s, steps[s]);
    }
  }

  void carry_out(const std::vector<Step>& steps, std::size_t phase) {
    for (std::size_t s = 0; s < steps.size(); ++s) {
      const Step& step = steps[s];
      // All ranks come to the same number.
      const int trips = step.varies ? 1 + static_cast<int>(hash(program_.seed, -1, iteration_, s) %
                                                           static_cast<unsigned>(step.trips))
                                    : step.trips;
      for (int t = 0; t < trips; ++t)
        carry_out(step, phase * most_steps + s);
    }
  }

  [[nodiscard]] double factor() {
    double factor = std::exp(program_.drift * iteration_ / program_.iterations);
    for (const Delay& delay : {program_.straggler, program_.burst})
      if (delay.rank == rank_ && iteration_ >= delay.from && iteration_ < delay.to)
        factor *= delay.factor;
    if (program_.noise > 0)
      factor *= std::exp(program_.noise * normal(hash(program_.seed, rank_, iteration_, ++what_)));
    return factor;
  }

  void carry_out(const Step& step, std::size_t number) {
    const double seconds = step.seconds[static_cast<std::size_t>(rank_)] * factor();
    const bool hides = step.pattern == Pattern::overlap || step.pattern == Pattern::persistent;
    const double hidden = hides ? seconds * step.hidden : 0;
    calls_.compute(seconds - hidden);
    communicate(step, number, hidden);
  }

  void communicate(const Step& step, std::size_t number, double hidden) {
    switch (step.pattern) {
    case Pattern::overlap:
    case Pattern::halo:
      calls_.irecv(before(), step.bytes);
      calls_.irecv(after(), step.bytes);
      calls_.isend(after(), step.bytes);
      calls_.isend(before(), step.bytes);
      calls_.compute(hidden);
      return calls_.waitall();
    case Pattern::persistent:
      calls_.start(number);
      calls_.compute(hidden);
      return calls_.wait_for(number);
    case Pattern::shift:
      return calls_.sendrecv(after(), before(), step.bytes);
    case Pattern::pipeline:
      if (rank_ > 0)
        calls_.recv(before(), step.bytes);
      if (after() > 0)
        calls_.send(after(), step.bytes);
      return;
    case Pattern::tree:
      return up_and_down(step);
    case Pattern::allreduce:
      return calls_.allreduce(step.bytes);
    case Pattern::broadcast:
      return calls_.broadcast(step.root, step.bytes);
    case Pattern::all_to_all:
      return calls_.all_to_all(std::max(8, step.bytes / program_.ranks / 8 * 8));
    case Pattern::gather_scatter:
      calls_.gather(step.root, step.bytes);
      return calls_.scatter(step.root, step.bytes);
    }
  }

  void up_and_down(const Step& step) {
    int bit = 1;
    for (; bit < program_.ranks && (rank_ & bit) == 0; bit *= 2)
      if (rank_ + bit < program_.ranks)
        calls_.recv(rank_ + bit, step.bytes);
    if (rank_ > 0) {
      calls_.send(rank_ - bit, step.bytes);
      calls_.recv(rank_ - bit, step.bytes);
    }
    for (bit /= 2; bit > 0; bit /= 2)
      if (rank_ + bit < program_.ranks)
        calls_.send(rank_ + bit, step.bytes);
  }

  const Program& program_;
  int rank_;
  Calls& calls_;
  int iteration_ = 0;
  std::size_t what_ = 0; ///< that has been drawn in this iteration
};

constexpr std::array names{"overlap", "persistent", "halo",      "shift",    "pipeline",
                           "tree",    "allreduce",  "broadcast", "alltoall", "gather"};

} // namespace

Program draw(std::uint64_t seed, int ranks, double seconds) {
  Dice dice(seed);
  Program program;
  program.seed = seed;
  program.ranks = ranks;
  program.iterations = static_cast<int>(dice.log_uniform(6, 400));
  const double of_iteration = seconds / program.iterations;
  const int phases = dice.happens(0.25) ? dice.whole(2, 3) : 1;
  for (int p = 0; p < phases; ++p)
    program.phases.push_back(draw_steps(dice, ranks, 4, of_iteration));
  program.phase_length = phases > 1 ? dice.whole(1, std::max(1, program.iterations / 4)) : 1;
  if (dice.happens(0.25)) {
    program.rebuild_every = dice.whole(2, 25);
    program.rebuild = draw_steps(dice, ranks, 3, of_iteration * dice.uniform(0.5, 6));
  }
  constexpr std::array noises{0.0, 0.005, 0.02, 0.1, 0.3};
  program.noise = noises[static_cast<std::size_t>(dice.whole(0, noises.size() - 1))];
  if (dice.happens(0.2))
    program.drift = dice.uniform(-1.2, 1.2);
  if (dice.happens(0.15))
    program.straggler = draw_delay(dice, program, false);
  if (dice.happens(0.15))
    program.burst = draw_delay(dice, program, true);
  return program;
}

std::string describe(const Program& program) {
  std::string text = std::to_string(program.iterations) + " iterations of ";
  for (std::size_t p = 0; p < program.phases.size(); ++p) {
    text += p > 0 ? " | " : "";
    for (const Step& step : program.phases[p]) {
      text += &step == program.phases[p].data() ? "" : ", ";
      text += names[static_cast<std::size_t>(step.pattern)];
      text += step.trips > 1 ? " x" + std::to_string(step.trips) : "";
      text += step.varies ? "?" : "";
    }
  }
  if (program.phases.size() > 1)
    text += "; phases of " + std::to_string(program.phase_length);
  if (program.rebuild_every > 0)
    text += "; rebuilds every " + std::to_string(program.rebuild_every);
  if (program.noise > 0)
    text += "; noise " + std::to_string(static_cast<int>(std::round(1000 * program.noise))) +
            " per mille";
  if (program.drift != 0)
    text += "; computation x" + std::to_string(std::exp(program.drift)).substr(0, 4) + " at last";
  for (const Delay& delay : {program.straggler, program.burst})
    if (delay.rank >= 0)
      text += "; rank " + std::to_string(delay.rank) + " x" +
              std::to_string(delay.factor).substr(0, 4) + " from " + std::to_string(delay.from) +
              " to " + std::to_string(delay.to);
  return text;
}

void run(const Program& program, int rank, Calls& calls) { Walk(program, rank, calls).run(); }

} // namespace random_programs
