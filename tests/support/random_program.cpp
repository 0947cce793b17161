#include "support/random_program.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace hypermile::test {
namespace {

using runtime::LoopReport;
using runtime::LoopWatch;

/// Not the distributions of the standard library, which differ from one to another.
class Dice {
public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  std::size_t between(std::size_t least, std::size_t most) {
    return least + engine_() % (most - least + 1);
  }
  double unit() { return static_cast<double>(engine_() >> 11U) * 0x1p-53; }
  bool chance(double probability) { return unit() < probability; }
  double log_uniform(double least, double most) { return least * std::pow(most / least, unit()); }

private:
  std::mt19937_64 engine_;
};

struct Statement {
  enum class Kind : std::uint8_t { call, loop, poll, either_order, branch, walking } kind{};
  std::uint64_t signature = 0;
  std::uint64_t other = 0; ///< of either_order
  double seconds = 0;
  std::size_t least = 1; ///< trips
  std::size_t most = 1;
  std::vector<Statement> body{};
};
using Body = std::vector<Statement>;

class Author {
public:
  explicit Author(Dice& dice)
      : dice_(dice), reuse_(dice.chance(0.3)   ? 0.6
                            : dice.chance(0.5) ? 0.2
                                               : 0) {}

  void let_trips_vary() { varies_ = true; }
  void let_jitter() { jitters_ = true; }

  Statement call() { return {.signature = signature(), .seconds = dice_.log_uniform(1e-5, 1e-2)}; }
  /// About so many calls. A body that is one loop and nothing else is that loop's.
  Body body(std::size_t calls, std::size_t depth) {
    Body items;
    const std::size_t loops = depth > 0 && calls >= 6 ? dice_.between(1, depth > 2 ? 2 : 3) : 0;
    const std::size_t straight = straight_calls(calls, loops);
    for (std::size_t i = 0; i < straight; ++i)
      items.push_back(call());
    for (std::size_t i = 0; i < loops; ++i)
      insert(items,
             loop(std::max<std::size_t>(2, (calls - std::min(calls, straight)) / loops), depth));
    if (jitters_ && dice_.chance(0.5))
      insert(items, jitter());
    return items;
  }

private:
  std::uint64_t signature() {
    if (!known_.empty() && dice_.chance(reuse_))
      return known_[dice_.between(0, known_.size() - 1)];
    known_.push_back(known_.size() + 1);
    return known_.back();
  }
  std::size_t straight_calls(std::size_t calls, std::size_t loops) {
    if (loops == 0)
      return std::min<std::size_t>(calls, 400);
    const bool may_be_none = loops > 1 && dice_.chance(0.1);
    return dice_.between(may_be_none ? 0 : 1, std::clamp<std::size_t>(calls / 4, 1, 12));
  }
  Statement loop(std::size_t calls, std::size_t depth) {
    const double most = std::max(3.0, static_cast<double>(calls) / 1.5);
    const auto trips =
        std::max<std::size_t>(2, static_cast<std::size_t>(dice_.log_uniform(2, most)));
    Statement loop{.kind = Statement::Kind::loop, .least = trips, .most = trips};
    loop.body = body(std::max<std::size_t>(1, calls / trips), depth - 1);
    if (varies_ && dice_.chance(0.6)) {
      loop.least = dice_.chance(0.2)   ? 0
                   : dice_.chance(0.3) ? 1
                                       : std::max<std::size_t>(1, trips / 2);
      loop.most = trips + trips / 2;
    }
    return loop;
  }
  Statement jitter() {
    Statement item = call();
    constexpr Statement::Kind kinds[] = {Statement::Kind::poll, Statement::Kind::either_order,
                                         Statement::Kind::branch, Statement::Kind::walking};
    item.kind = kinds[dice_.between(0, 3)];
    item.other = signature();
    return item;
  }
  void insert(Body& items, Statement item) {
    const auto at = static_cast<std::ptrdiff_t>(dice_.between(0, items.size()));
    items.insert(items.begin() + at, std::move(item));
  }

  Dice& dice_;
  double reuse_; ///< probability that a call is one that is made elsewhere, too
  bool varies_ = false;
  bool jitters_ = false;
  std::vector<std::uint64_t> known_;
};

class Execution {
public:
  /// `details`: of calls that are made from one place.
  Execution(Dice& dice, LoopProgram& program, std::uint64_t details)
      : dice_(dice), program_(program), details_(details) {}

  void run(const Body& body) {
    for (const Statement& item : body)
      run(item);
  }

private:
  void run(const Statement& item) {
    using Kind = Statement::Kind;
    switch (item.kind) {
    case Kind::call:
      return emit(item.signature, item.seconds);
    case Kind::loop:
      for (std::size_t trip = dice_.between(item.least, item.most); trip > 0; --trip)
        run(item.body);
      return;
    case Kind::poll:
      for (std::size_t poll = dice_.between(0, 3); poll > 0; --poll)
        emit(item.signature, item.seconds / 10);
      return;
    case Kind::either_order: {
      const bool swap = dice_.chance(0.5);
      emit(swap ? item.other : item.signature, item.seconds);
      return emit(swap ? item.signature : item.other, item.seconds);
    }
    case Kind::branch:
      if (dice_.chance(0.5))
        emit(item.signature, item.seconds);
      return;
    case Kind::walking:
      return emit(item.signature, item.seconds, ++tag_);
    }
  }
  void emit(std::uint64_t signature, double seconds, std::uint64_t tag = 0) {
    constexpr std::uint64_t factor = 0x9e3779b97f4a7c15ULL;
    const std::uint64_t place = (signature / details_ + 1) * factor;
    const std::uint64_t detail = (place ^ (signature << 8U) ^ (tag << 32U)) * factor;
    program_.calls.push_back(
        {{.place = place, .detail = detail}, seconds * (0.95 + 0.1 * dice_.unit())});
  }

  Dice& dice_;
  LoopProgram& program_;
  std::uint64_t details_;
  std::uint64_t tag_ = 0;
};

double total(const LoopProgram& program, std::size_t from, std::size_t to) {
  double sum = 0;
  for (std::size_t i = from; i < to; ++i)
    sum += program.calls[i].seconds;
  return sum;
}

/// An iteration takes 1 s on average, and what comes before the loop one and a half at most.
void scale(LoopProgram& program) {
  const std::size_t first = program.begins.front();
  const double iterations = static_cast<double>(program.begins.size() - 1);
  const double iteration = total(program, first, program.calls.size()) / iterations;
  const double set_up = std::max(iteration, total(program, 0, first) / 1.5);
  for (std::size_t i = 0; i < program.calls.size(); ++i)
    program.calls[i].seconds /= i < first ? set_up : iteration;
}

} // namespace

LoopProgram random_program(std::uint64_t seed, std::size_t iterations) {
  Dice dice(seed * 7919 + 17);
  LoopProgram program;
  Author author(dice);
  const Body set_up =
      author.body(static_cast<std::size_t>(dice.log_uniform(1, 300)), dice.between(0, 1));
  program.varies = dice.chance(0.5);
  program.jitters = dice.chance(0.3);
  program.has_extras = dice.chance(0.2);
  if (program.varies)
    author.let_trips_vary();
  if (program.jitters)
    author.let_jitter();
  const Body body =
      author.body(static_cast<std::size_t>(dice.log_uniform(1, 20'000)), dice.between(0, 4));
  const std::size_t every = dice.between(3, 8);
  Body extras;
  for (std::size_t i = program.has_extras ? dice.between(1, 3) : 0; i > 0; --i)
    extras.push_back(author.call());
  Execution execution(dice, program, dice.chance(0.5) ? 1 : 3);
  execution.run(set_up);
  for (std::size_t i = 1; i <= iterations; ++i) {
    program.begins.push_back(program.calls.size());
    execution.run(body);
    if (i % every == 0)
      execution.run(extras);
  }
  program.begins.push_back(program.calls.size());
  scale(program);
  return program;
}

bool is_ambiguous(const LoopProgram& program) {
  const auto& calls = program.calls;
  const std::size_t first = program.begins[0];
  const std::size_t size = program.begins[3] - first;
  const auto same = [&](std::size_t a, std::size_t b) {
    return calls[first + a].call.detail == calls[first + b].call.detail;
  };
  std::vector<std::size_t> equal(size); // Z function: calls from there on that equal the first
  for (std::size_t i = 1, left = 0, right = 0; i < size; ++i) {
    std::size_t count = i < right ? std::min(right - i, equal[i - left]) : 0;
    while (i + count < size && same(count, i + count))
      ++count;
    equal[i] = count;
    if (i + count > right) {
      left = i;
      right = i + count;
    }
    if (i * 30 < size * 7 && (i + count) * 20 >= size * 19)
      return true;
  }
  return size == 0;
}

namespace {

Verdict verdict(const LoopReport& report, double truth) {
  if (report.found == LoopReport::Found::nothing)
    return Verdict::none;
  const double ratio = report.total.value() / static_cast<double>(report.iterations) / truth;
  return ratio < 0.7 ? Verdict::inner : ratio > 1.45 ? Verdict::multiple : Verdict::right;
}

void add(VerdictShares& shares, const std::vector<Verdict>& after) {
  ++shares.programs;
  shares.right_after_3 += after[0] == Verdict::right ? 1 : 0;
  shares.inner_after_3 += after[0] == Verdict::inner ? 1 : 0;
  shares.right_after_4 += after[1] == Verdict::right ? 1 : 0;
  shares.inner_after_4 += after[1] == Verdict::inner ? 1 : 0;
}

void divide(VerdictShares& shares) {
  const double programs = std::max(1.0, static_cast<double>(shares.programs));
  for (double* share :
       {&shares.right_after_3, &shares.inner_after_3, &shares.right_after_4, &shares.inner_after_4})
    *share /= programs;
}

} // namespace

std::vector<Verdict> verdicts(const LoopProgram& program,
                              const std::vector<std::size_t>& after_iterations, double start) {
  LoopWatch watch(Seconds{start});
  std::vector<Verdict> result;
  double now = start;
  std::size_t next = 0;
  for (const std::size_t iterations : after_iterations) {
    for (; next < program.begins[iterations]; ++next) {
      const double begin = now;
      now += program.calls[next].seconds;
      const Seconds computation{now - begin};
      watch.add_call(program.calls[next].call, {.begin = Seconds{begin},
                                                .end = Seconds{now},
                                                .computation = computation,
                                                .computation_in_gear0 = computation,
                                                .communication = {},
                                                .calls = 1,
                                                .event = next});
    }
    const double truth = total(program, program.begins[0], program.begins[iterations]);
    result.push_back(verdict(watch.report(), truth / static_cast<double>(iterations)));
  }
  return result;
}

VerdictTable judge_random_programs(std::uint64_t seeds) {
  VerdictTable table;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const LoopProgram program = random_program(seed, 4);
    if (is_ambiguous(program))
      continue;
    const auto after = verdicts(program, {3, 4});
    add(table.all, after);
    if (program.is_fixed())
      add(table.fixed, after);
    if (program.varies && !program.jitters)
      add(table.varying, after);
    if (program.jitters)
      add(table.jittering, after);
    if (program.has_extras)
      add(table.with_extras, after);
  }
  for (VerdictShares* shares :
       {&table.fixed, &table.varying, &table.jittering, &table.with_extras, &table.all})
    divide(*shares);
  return table;
}

} // namespace hypermile::test
