// The account of a bound on slowdown rests on clocks where the dependency model is wrong.

#include "runtime/decide/coordinator.hpp"
#include "support/cases.hpp"
#include "support/nodes.hpp"
#include "support/scripted_timeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <variant>
#include <vector>

namespace hypermile::runtime {
namespace {

/// Two ranks that compute equally long, so that every gear costs time, and meet. As soon as one is
/// in another gear than 0, they meet later than computation explains. The events show that as time
/// that the network takes, in any gear.
class Job {
public:
  Job(double bound, double excess, double noise, unsigned seed = 1)
      : excess_(excess), noise_(noise), random_(seed),
        coordinator_(request(bound), 2, TimeModel{.functions = {"Allreduce"}}) {}

  /// Rounds as LoopWatch has news: after half as many iterations again, or after six where soon
  /// looked at.
  void run(std::size_t iterations) {
    iterations += done_;
    while (done_ < iterations) {
      const std::size_t more = std::min(more_, iterations - done_);
      const auto all = measure(more);
      done_ += more;
      coordinator_.add(all[0]);
      const auto orders = coordinator_.add(all[1]);
      const auto& first = std::get<GearOrder>(orders[0]);
      gears_ = {first.gear, std::get<GearOrder>(orders[1]).gear};
      more_ = first.look_again ? 6 : (done_ + 1) / 2;
    }
  }
  /// The nodes have not left this gear, which the run began in.
  void begin_in(std::size_t gear) { gears_ = {gear, gear}; }
  /// From now on there is so many times as much to compute.
  void change_work(double times) { work_ *= times; }
  /// From now on other programs take the core of the first rank for so long in an iteration of
  /// `one_of`, at random.
  void let_others_take(Seconds stolen, unsigned one_of) {
    stolen_ = stolen;
    one_of_ = one_of;
  }
  /// From now on messages take so much longer on average, which no work explains.
  void disturb_messages(Seconds mean) { disturbed_ = mean; }
  /// From now on hypermile takes so long for each choice.
  void choose_slowly(Seconds own) { own_of_choice_ = own; }
  [[nodiscard]] double slowdown() const { return elapsed_ / in_gear0_ - 1; }
  [[nodiscard]] double share_in_gears() const { return in_gears_ / elapsed_; }
  [[nodiscard]] const std::vector<Decision>& decisions() const { return coordinator_.decisions(); }

private:
  static constexpr double computes_s = 0.001;
  static constexpr double meets_s = 0.0001;

  static select::Request request(double bound) {
    select::Request request;
    request.objective = select::Objective::energy;
    request.constraints.max_slowdown = bound;
    return request;
  }

  std::vector<Measurement> measure(std::size_t iterations) {
    std::vector<test::Script> scripts(2);
    std::vector<Measurement> all;
    for (std::size_t rank = 0; rank < 2; ++rank)
      all.push_back({.rank = static_cast<int>(rank),
                     .node = test::many_gears(rank == 0 ? "a" : "b"),
                     .gear = gears_[rank]});
    const bool slowed = gears_[0] != 0 || gears_[1] != 0;
    std::normal_distribution<> unlike;
    for (std::size_t i = 0; i < iterations; ++i) {
      double computes[2];
      double longest_in_gear0 = 0;
      const bool hit = stolen_ > Seconds{} && random_() % one_of_ == 0;
      const double stolen = hit ? stolen_.value() : 0;
      for (std::size_t rank = 0; rank < 2; ++rank) {
        const double in_gear0 = work_ * computes_s * (1 + noise_ * unlike(random_));
        computes[rank] = in_gear0 * all[rank].node.type.gears.scale(gears_[rank]);
        all[rank].computation_in_gear0 += Seconds{in_gear0};
        if (stolen_ > Seconds{}) // what a rank tells of it is without what was stolen
          all[rank].computations.emplace_back(in_gear0);
        longest_in_gear0 = std::max(longest_in_gear0, in_gear0 + (rank == 0 ? stolen : 0));
      }
      const double meets =
          meets_s + disturbed_.value() * std::exponential_distribution<>()(random_);
      const double met = std::max(computes[0] + stolen, computes[1]) + meets +
                         (slowed ? excess_ * (computes_s + meets_s) : 0);
      for (std::size_t rank = 0; rank < 2; ++rank) {
        all[rank].iterations.push_back(2 * i);
        all[rank].computation += Seconds{computes[rank]};
        all[rank].communication += Seconds{met - computes[rank]};
        const double passed = computes[rank] + (rank == 0 ? stolen : 0);
        scripts[rank].computes(passed).joins(model::Shape::all, 2, met - passed);
      }
      all[0].stolen += stolen;
      elapsed_ += Seconds{met};
      in_gear0_ += Seconds{longest_in_gear0 + meets};
      if (slowed)
        in_gears_ += Seconds{met};
    }
    all[0].stolen /= (all[0].computation + all[0].communication).value();
    elapsed_ += own_of_choice_;
    own_ += own_of_choice_;
    const auto count = static_cast<double>(iterations);
    for (std::size_t rank = 0; rank < 2; ++rank) {
      Measurement& m = all[rank];
      m.computation = m.computation / count;
      m.computation_in_gear0 = m.computation_in_gear0 / count;
      m.communication = m.communication / count;
      m.elapsed = elapsed_;
      m.own = own_;
      m.calls = 1;
      m.measured_iterations = iterations;
      m.timeline = scripts[rank].done();
      m.timeline->scale = m.node.type.gears.scale(m.gear);
    }
    return all;
  }

  double excess_;
  double noise_;
  double work_ = 1;
  std::mt19937 random_;
  std::vector<std::size_t> gears_{0, 0};
  std::size_t done_ = 0; ///< iterations
  std::size_t more_ = 2; ///< until the next choice
  Seconds elapsed_;
  Seconds in_gear0_;
  Seconds in_gears_;
  Seconds own_;
  Seconds own_of_choice_;
  Seconds stolen_; ///< in some iterations
  Seconds disturbed_;
  unsigned one_of_ = 1;
  Coordinator coordinator_;
};

TEST(clocks, keep_a_bound_however_wrong_the_model_is) {
  for (const double excess : {0.0, 0.02, 0.05, 0.1, 0.3})
    for (const double bound : {0.03, 0.05, 0.1})
      for (unsigned seed = 1; seed <= unsigned{test::cases(4)}; ++seed) {
        Job job(bound, excess, 0.02, seed);
        job.run(900);
        EXPECT_LE(job.slowdown(), bound + 0.01) << excess << " " << bound << " " << seed;
      }
}

TEST(clocks, have_gear_0_measured_where_nodes_were_in_another_gear_before_any_choice) {
  Job job(0.05, 0, 0);
  job.begin_in(3);
  job.run(40);
  EXPECT_TRUE(std::ranges::any_of(job.decisions(), [](const Decision& decision) {
    return decision.declined.starts_with("gear 0 is measured again");
  }));
  job.run(900);
  EXPECT_GE(job.share_in_gears(), 0.5);
}

/// They rest on more iterations than the few in gear 0.
TEST(clocks, let_gears_go_on_after_a_look_at_gear_0_that_does_not_refute_them) {
  std::size_t looks = 0;
  std::size_t resumed = 0;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    Job job(0.05, 0.01, 0.1, seed);
    job.disturb_messages(Seconds{0.0002});
    job.run(900);
    const auto& all = job.decisions();
    for (std::size_t i = 1; i + 1 < all.size(); ++i) {
      if (!all[i].declined.starts_with("gear 0 is measured again") || !sets_a_gear(all[i - 1]))
        continue;
      ++looks;
      resumed += all[i + 1].gears == all[i - 1].gears ? 1 : 0;
    }
  }
  EXPECT_GT(looks, 8U);
  EXPECT_GT(3 * resumed, looks);
}

TEST(clocks, count_what_hypermile_itself_takes) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    Job job(0.05, 0.02, 0.02, seed);
    job.choose_slowly(Seconds{0.0015});
    job.run(900);
    EXPECT_LE(job.slowdown(), 0.05 + 0.005) << seed;
    EXPECT_GE(job.share_in_gears(), 0.15) << seed;
  }
}

/// Against a run in gear 0 from which others would have taken as much.
TEST(clocks, are_not_believed_while_other_programs_take_the_cores) {
  for (const double excess : {0.0, 0.02})
    for (const unsigned one_of : {1U, 2U, 10U, 50U})
      for (unsigned seed = 1; seed <= 4; ++seed) {
        Job job(0.1, excess, 0.02, seed);
        job.let_others_take(Seconds{0.002}, one_of);
        job.run(900);
        EXPECT_LE(job.slowdown(), 0.1 + 0.01) << excess << " " << one_of << " " << seed;
        EXPECT_GE(job.share_in_gears(), 0.5) << excess << " " << one_of << " " << seed;
      }
}

/// In gear 0 others took the cores, then they are gone; or the other way round.
TEST(clocks, compare_nothing_with_a_time_when_others_had_the_cores) {
  for (const bool first : {true, false})
    for (unsigned seed = 1; seed <= 8; ++seed) {
      Job job(0.05, 0, 0.02, seed);
      job.let_others_take(Seconds{first ? 0.001 : 0}, 1);
      job.run(2);
      job.let_others_take(Seconds{first ? 0 : 0.001}, 1);
      job.run(40);
      for (const Decision& decision : job.decisions()) {
        EXPECT_EQ(decision.stepped_back, "");
        EXPECT_GT(decision.measured_time_ratio.value_or(1), 0.95);
        EXPECT_LT(decision.measured_time_ratio.value_or(1), 1.1);
      }
      EXPECT_LE(job.slowdown(), 0.05 + 0.01) << first << " " << seed;
      EXPECT_GE(job.share_in_gears(), 0.5) << first << " " << seed;
    }
}

TEST(clocks, leave_gears_that_keep_the_bound) {
  for (const double excess : {0.0, 0.02, 0.05}) {
    Job job(0.1, excess, 0.02);
    job.run(900);
    EXPECT_GE(job.slowdown(), 0.03) << excess;
    EXPECT_GE(job.share_in_gears(), 0.5) << excess;
  }
}

TEST(clocks, have_gear_0_measured_again_where_they_say_something_else_than_the_model) {
  Job job(0.03, 0.1, 0);
  job.run(100);
  const auto again = std::ranges::find_if(job.decisions(), [](const Decision& decision) {
    return decision.declined.find("gear 0 is measured again") != std::string::npos;
  });
  ASSERT_NE(again, job.decisions().end());
  EXPECT_EQ(again->gears, (std::vector<std::size_t>{0, 0}));
  const auto none_left = std::ranges::find_if(job.decisions(), [](const Decision& decision) {
    return decision.declined.find("leaves no room") != std::string::npos;
  });
  EXPECT_NE(none_left, job.decisions().end());
}

TEST(clocks, do_not_take_shorter_iterations_for_faster_ones) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    Job job(0.03, 0.1, 0.01, seed);
    job.run(50);
    job.change_work(0.85);
    job.run(850);
    EXPECT_LE(job.slowdown(), 0.04) << seed;
  }
}

/// Iterations vary too much to be compared, so that gear 0 tells nothing however often it is
/// measured.
TEST(clocks, have_gear_0_measured_again_ever_less_often_where_that_tells_nothing) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    Job job(0.1, 0, 0.3, seed);
    job.disturb_messages(Seconds{0.003});
    job.run(20'000);
    const auto looks = std::ranges::count_if(job.decisions(), [](const Decision& decision) {
      return decision.declined.find("measured again") != std::string::npos;
    });
    EXPECT_GE(looks, 1) << seed;
    EXPECT_LE(looks, 6) << seed;
  }
}

} // namespace
} // namespace hypermile::runtime
