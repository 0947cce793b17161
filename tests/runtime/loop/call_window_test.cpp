#include "runtime/loop/call_window.hpp"

#include "runtime/loop/token.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <unordered_map>
#include <vector>

namespace hypermile::runtime {
namespace {

TEST(call_window, sums_what_was_added_whatever_it_has_forgotten) {
  CallWindow window;
  std::mt19937 random(1);
  std::vector<Span> spans(1); // calls are numbered from 1 on
  double now = 7;
  for (std::size_t call = 1; call <= 3 * CallWindow::most_calls; ++call) {
    now += random() % 50 == 0 ? 1e-3 : 0; // hypermile itself
    const double computation = 1e-6 * static_cast<double>(random() % 1000);
    const double communication = 1e-6 * static_cast<double>(random() % 1000);
    const Span& last = spans.back();
    spans.push_back({.begin = Seconds{now},
                     .end = Seconds{now + computation + communication},
                     .computation = Seconds{computation},
                     .computation_in_gear0 = Seconds{computation / 2},
                     .communication = Seconds{communication},
                     .calls = 1,
                     .event = last.event + 1 + random() % 3 + (call == 1000 ? 0xfffffff0U : 0U)});
    now += computation + communication;
    if (window.is_full())
      window.forget_older_half();
    window.add(static_cast<Symbol>(call % 7), spans.back());
  }
  EXPECT_EQ(window.next(), spans.size());
  for (int i = 0; i < 20; ++i) {
    const std::size_t from = window.first() + random() % 1000;
    const std::size_t to = from + 1 + random() % 5000;
    Span expected = spans[from];
    for (std::size_t call = from + 1; call < to; ++call)
      expected += spans[call];
    const Span sum = window.sum(from, to);
    EXPECT_DOUBLE_EQ(sum.begin.value(), expected.begin.value());
    EXPECT_DOUBLE_EQ(sum.end.value(), expected.end.value());
    EXPECT_NEAR(sum.computation.value(), expected.computation.value(), 1e-6);
    EXPECT_NEAR(sum.computation_in_gear0.value(), expected.computation_in_gear0.value(), 1e-6);
    EXPECT_NEAR(sum.communication.value(), expected.communication.value(), 1e-6);
    EXPECT_EQ(sum.calls, expected.calls);
    EXPECT_EQ(sum.event, expected.event);
    EXPECT_EQ(sum.calls_before, from - 1);
  }
}

TEST(symbol_table, gives_forgotten_numbers_to_others_and_keeps_the_rest) {
  SymbolTable table;
  std::mt19937_64 random(1);
  std::unordered_map<CallSignature, Symbol> known;
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 1000; ++i) {
      const CallSignature signature = random() % 5000;
      const Symbol symbol = table.number(signature).symbol;
      EXPECT_EQ(known.try_emplace(signature, symbol).first->second, symbol);
    }
    std::vector<bool> keep(table.bound());
    for (auto it = known.begin(); it != known.end();) {
      keep[it->second] = random() % 4 == 0;
      it = keep[it->second] ? std::next(it) : known.erase(it);
    }
    table.forget_all_but(keep);
  }
  EXPECT_LE(table.bound(), 1500U);
}

TEST(recurrences, know_how_long_ago_a_token_was_there) {
  for (const Grain grain : {Grain::call, Grain::pair}) {
    Recurrences recurrences(grain);
    EXPECT_EQ(recurrences.visit(5, 10).last, 0U);
    EXPECT_EQ(recurrences.visit(5, 13).last, 3U);
    for (std::uint64_t other = 6; other < 60; ++other)
      recurrences.visit(other, 14);
    const auto gaps = recurrences.visit(5, 20);
    EXPECT_EQ(gaps.last, 7U);
    EXPECT_EQ(gaps.before, 3U);
  }
}

} // namespace
} // namespace hypermile::runtime
