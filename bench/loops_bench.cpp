// What finding the main loop costs a rank, and how often it is right: bench_loops [--calls N]
// [--programs N]. Exits with 1 where that is worse than it has to be.
#include "runtime/loop/loop_watch.hpp"
#include "support/random_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <random>
#include <string_view>
#include <vector>

#include <time.h>

namespace {

using namespace hypermile;
using namespace hypermile::runtime;
using Signatures = std::vector<CallSignature>;

struct Case {
  const char* name;
  bool is_short; ///< a program of so many calls and no more
  std::function<void(Signatures&, std::mt19937_64&)> append;
};

void append(Signatures& calls, std::size_t first, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    calls.push_back((first + i) * 0x9e3779b97f4a7c15ULL);
}

const std::vector<Case> cases{
    {"a loop that repeats exactly", false,
     [](Signatures& calls, std::mt19937_64&) {
       for (std::size_t i = 0; i < 24; ++i)
         append(calls, 1, 23);
     }},
    {"inner loops of varying trip counts", false,
     [](Signatures& calls, std::mt19937_64& random) {
       append(calls, 1, 30);
       for (std::size_t trip = 5 + random() % 36; trip > 0; --trip)
         append(calls, 101, 12);
       append(calls, 201, 10);
     }},
    {"a wavefront: thousands of calls in an iteration", false,
     [](Signatures& calls, std::mt19937_64&) {
       for (std::size_t plane = 0; plane < 2000; ++plane)
         append(calls, plane < 1000 ? 1 : 11, 2);
       append(calls, 21, 8);
     }},
    {"one other call every 1,000 to 3,000 trips", false,
     [](Signatures& calls, std::mt19937_64& random) {
       for (std::size_t trip = 1000 + random() % 2000; trip > 0; --trip)
         append(calls, 101, 2);
       append(calls, 77, 1);
     }},
    {"200 different calls in random order", false,
     [](Signatures& calls, std::mt19937_64& random) { append(calls, random() % 200, 1); }},
    {"every call is new", false,
     [](Signatures& calls, std::mt19937_64& random) { calls.push_back(random()); }},
    {"short: 2,000 calls, random order", true,
     [](Signatures& calls, std::mt19937_64& random) { append(calls, random() % 40, 1); }},
    {"short: 20,000 calls, varying trip counts", true,
     [](Signatures& calls, std::mt19937_64& random) {
       append(calls, 1, 30);
       for (std::size_t trip = 5 + random() % 36; trip > 0; --trip)
         append(calls, 101, 12);
     }},
};

struct Cost {
  double total = 0;   ///< s
  double longest = 0; ///< for a single call, in s
};

/// Of this thread, in s: other programs do not disturb it.
double cpu_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

Cost cost(const Signatures& calls, bool each) {
  LoopWatch watch(Seconds{});
  Cost cost;
  double now = 0;
  const double begin = cpu_time();
  double last = begin;
  for (const CallSignature call : calls) {
    const double end = now + 1e-5;
    watch.add_call({.place = call, .detail = call}, {.begin = Seconds{now},
                                                     .end = Seconds{end},
                                                     .computation = Seconds{1e-5},
                                                     .computation_in_gear0 = Seconds{1e-5},
                                                     .communication = {},
                                                     .calls = 1});
    now = end;
    if (each) {
      const double next = cpu_time();
      cost.longest = std::max(cost.longest, next - last);
      last = next;
    }
  }
  cost.total = cpu_time() - begin;
  return cost;
}

/// At most 40 ns a call on average, or 5 ms in all for a short program.
bool print_costs(std::size_t calls) {
  bool good = true;
  fmt::print("{:50} {:>10} {:>8} {:>11} {:>13}\n", "stream", "calls", "ns/call", "all, ms",
             "longest, ms");
  for (const Case& each : cases) {
    std::mt19937_64 random(7);
    Signatures signatures;
    const std::size_t count = !each.is_short                               ? calls
                              : each.name[7] == '2' && each.name[8] == ',' ? 2000
                                                                           : 20'000;
    while (signatures.size() < count)
      each.append(signatures, random);
    const Cost all = cost(signatures, false);
    const Cost single = cost(signatures, true);
    const double per_call = all.total / static_cast<double>(signatures.size());
    fmt::print("{:50} {:10} {:8.1f} {:11.2f} {:13.2f}\n", each.name, signatures.size(),
               per_call * 1e9, all.total * 1e3, single.longest * 1e3);
    good = good && (each.is_short ? all.total <= 5e-3 : per_call <= 40e-9);
  }
  return good;
}

void print(const char* name, const test::VerdictShares& shares) {
  fmt::print("{:12} {:8} {:10.1f} {:10.1f} {:10.1f} {:10.1f}\n", name, shares.programs,
             100 * shares.right_after_3, 100 * shares.inner_after_3, 100 * shares.right_after_4,
             100 * shares.inner_after_4);
}

bool print_verdicts(std::uint64_t programs) {
  const test::VerdictTable table = test::judge_random_programs(programs);
  fmt::print("\n{:12} {:>8} {:>21} {:>21}\n{:12} {:>8} {:>10} {:>10} {:>10} {:>10}\n", "random", "",
             "after 3 iterations", "after 4 iterations", "programs", "", "right, %", "inner, %",
             "right, %", "inner, %");
  print("fixed", table.fixed);
  print("varying", table.varying);
  print("jittering", table.jittering);
  print("extras", table.with_extras);
  print("all", table.all);
  return table.fixed.right_after_3 >= 0.995 && table.all.right_after_3 >= 0.9 &&
         table.all.right_after_4 >= 0.96 && table.all.inner_after_3 <= 0.06;
}

} // namespace

int main(int argc, char** argv) {
  std::size_t calls = 10'000'000;
  std::uint64_t programs = 5000;
  for (int i = 1; i + 1 < argc; i += 2)
    (std::string_view(argv[i]) == "--calls" ? calls : programs) =
        std::strtoul(argv[i + 1], nullptr, 10);
  const bool cheap = print_costs(calls);
  const bool right = print_verdicts(programs);
  return cheap && right ? 0 : 1;
}
