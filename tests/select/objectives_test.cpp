#include "select/score.hpp"
#include "support/random_problem.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace hypermile::select {
namespace {

const model::Baseline base{Seconds{2}, Joules{300}};

struct Point {
  Seconds time;
  Joules energy;
};

/// From P_norm = 2 to four times the baseline.
Point random_point(test::RandomProblem& random) {
  return {base.time * random.uniform(0.5, 4), base.energy * random.uniform(0, 4)};
}

/// Every row of the table, with a weight too where it takes one.
class every_objective : public testing::TestWithParam<ObjectiveRow> {
protected:
  [[nodiscard]] std::vector<Score> scores(const model::Baseline& baseline = base) const {
    std::vector<Score> all{Score(baseline, {.objective = GetParam().objective})};
    for (const double weight : {0.0, 0.2, 0.9, 1.0})
      if (GetParam().takes_weight)
        all.emplace_back(baseline, Request{.objective = GetParam().objective, .weight = weight});
    return all;
  }
  test::RandomProblem random_{11};
};

TEST_P(every_objective, never_gets_better_with_more_time_or_energy) {
  for (const Score& score : scores())
    for (int i = 0; i < 2000; ++i) {
      // Monotone everywhere, also faster than twice the baseline.
      const Point a{base.time * random_.uniform(0.1, 4), base.energy * random_.uniform(0, 4)};
      const double value = score(a.time, a.energy);
      ASSERT_GE(score(a.time * random_.uniform(1, 3), a.energy), value);
      ASSERT_GE(score(a.time, a.energy * random_.uniform(1, 3)), value);
    }
}

TEST_P(every_objective, is_quasi_concave) {
  for (const Score& score : scores())
    for (int i = 0; i < 2000; ++i) {
      const Point a = random_point(random_);
      const Point b = random_point(random_);
      const double share = random_.uniform(0, 1);
      const double between =
          score(a.time + (b.time - a.time) * share, a.energy + (b.energy - a.energy) * share);
      const double least = std::min(score(a.time, a.energy), score(b.time, b.energy));
      ASSERT_GE(between, least - 1e-12 * std::abs(least) - 1e-12);
    }
}

TEST_P(every_objective, prices_a_second_less_the_later_and_not_less_the_dearer) {
  for (const Score& score : scores()) {
    if (!(score.price_of_time(base.time, base.energy) < Watts{unreachable}))
      continue;
    for (int i = 0; i < 2000; ++i) {
      const Point a{base.time * random_.uniform(0.6, 4), base.energy * random_.uniform(0.1, 4)};
      const double price = score.price_of_time(a.time, a.energy).value();
      const double rounding = 1e-6 * price;
      ASSERT_LE(score.price_of_time(a.time * 1.5, a.energy).value(), price + rounding);
      ASSERT_GE(score.price_of_time(a.time, a.energy * 1.5).value(), price - rounding);
    }
  }
}

TEST_P(every_objective, grows_with_the_length_of_iterations_as_its_row_says) {
  constexpr double times = 3;
  const auto longer = scores({base.time * times, base.energy * times});
  const auto score = scores();
  for (std::size_t i = 0; i < score.size(); ++i) {
    const Point a = random_point(random_);
    const double wanted = score[i](a.time, a.energy) * std::pow(times, GetParam().power_of_length);
    ASSERT_NEAR(longer[i](a.time * times, a.energy * times), wanted, 1e-12 * std::abs(wanted));
  }
  EXPECT_EQ(GetParam().unit.empty(), GetParam().power_of_length == 0);
}

TEST_P(every_objective, ignores_energy_only_where_its_row_says_so) {
  const Score score(base, {.objective = GetParam().objective});
  EXPECT_EQ(score(base.time, base.energy) == score(base.time, base.energy * 2),
            GetParam().ignores_energy);
}

TEST_P(every_objective, takes_a_weight_only_where_its_row_says_so) {
  const Request weighted{.objective = GetParam().objective, .weight = 0.5};
  if (GetParam().takes_weight)
    EXPECT_NO_THROW(Score(base, weighted));
  else
    EXPECT_THROW(Score(base, weighted), Error);
}

INSTANTIATE_TEST_SUITE_P(table, every_objective,
                         testing::ValuesIn(objectives().begin(), objectives().end()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(score, prices_a_second_as_the_formulas_do) {
  const Seconds t = base.time * 1.25;
  const Joules e = base.energy * 0.6;
  const auto price = [&](Objective objective) {
    return Score(base, {.objective = objective}).price_of_time(t, e).value();
  };
  EXPECT_NEAR(price(Objective::edp), (e / t).value(), 1e-6 * (e / t).value());
  EXPECT_NEAR(price(Objective::ed2p), 2 * (e / t).value(), 1e-6 * (e / t).value());
  EXPECT_NEAR(price(Objective::maxdist), (base.energy / t).value() * 0.8, 1e-4);
  EXPECT_EQ(price(Objective::energy), 0);
  EXPECT_EQ(price(Objective::time), unreachable);
}

TEST(names, of_objectives_and_methods_are_read_as_they_are_written) {
  for (const ObjectiveRow& row : objectives())
    EXPECT_EQ(objective_named(row.name), row.objective);
  for (const MethodRow& row : methods())
    EXPECT_EQ(method_named(row.name), row.method);
  EXPECT_EQ(objective_named("speed"), std::nullopt);
  EXPECT_EQ(method_named("magic"), std::nullopt);
  EXPECT_EQ(objective_names(), "maxdist, edp, ed2p, edp48, energy, time");
  EXPECT_EQ(method_names(model::ModelKind::homogeneous),
            "exact, slack, epsa, epsa-rauber, rauber-e, rauber-ep, brute");
}

// --- docs/selection.md ---

/// The first two columns of the table that has this head.
std::vector<std::string> documented(const std::string& head) {
  std::ifstream file(HYPERMILE_SOURCE_DIR "/docs/selection.md");
  std::vector<std::string> rows;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (inside && line.starts_with("| `"))
      rows.push_back(line.substr(0, line.find(" |", line.find(" | ") + 3)));
    else if (line.starts_with(head))
      inside = true;
    else if (!line.starts_with("| ---"))
      inside = false;
  }
  return rows;
}

template <class Rows> std::vector<std::string> expected(const Rows& table) {
  std::vector<std::string> rows;
  for (const auto& row : table)
    rows.push_back("| `" + std::string(row.name) + "` | " + std::string(row.help));
  return rows;
}

TEST(docs, list_the_objectives_of_the_table) {
  EXPECT_EQ(documented("| `--objective` |"), expected(objectives()));
}

TEST(docs, list_the_methods_of_the_table) {
  EXPECT_EQ(documented("| `--method` |"), expected(methods()));
}

} // namespace
} // namespace hypermile::select
