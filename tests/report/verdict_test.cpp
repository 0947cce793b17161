#include "report/verdict.hpp"

#include "report/jobs.hpp"

#include <gtest/gtest.h>

namespace hypermile::report {
namespace {

/// A job in gears, of which this is known of the whole run.
struct Known {
  Job job = test::job(test::job_in_gears());
  JobSummary summary;

  Known() { summary.gears_in_effect = true; }
  [[nodiscard]] std::string verdict() const { return verdict_of(job, summary); }
};

Known estimated(double time, std::optional<double> energy) {
  Known known;
  known.summary.whole_run = Ratio{time, energy};
  return known;
}

Known measured(double time, std::optional<double> energy) {
  Known known = estimated(1.01, 0.9);
  known.summary.against_baseline = Ratio{time, energy};
  known.summary.baseline_basis = EnergyBasis::meters;
  return known;
}

TEST(verdict, says_what_was_saved_at_what_price_and_how_that_is_known) {
  EXPECT_EQ(measured(1.031, 0.8).verdict(),
            "Success: saved 20.0 % of the energy for 3.1 % more time (measured against the run in "
            "gear 0).");
  EXPECT_EQ(estimated(1.0002, 0.8).verdict(),
            "Success: saved 20.0 % of the energy for no more time (estimated; no iterations could "
            "be compared; energy by power tables).");
  Known compared = estimated(0.99, 0.8);
  compared.summary.measured = Ratio{0.99, 0.8};
  compared.summary.power_assumed = true;
  EXPECT_EQ(compared.verdict(),
            "Success: saved 20.0 % of the energy for 1.0 % less time (estimated from measured "
            "iterations; energy by assumed power).");
}

TEST(verdict, says_whether_the_bound_was_kept) {
  Known known = measured(1.05, 0.8);
  known.job.settings.max_slowdown = 0.05;
  EXPECT_NE(known.verdict().find("; the bound of 5 % was kept."), std::string::npos);
  EXPECT_EQ(known.verdict().find("Success"), 0U);
  known.summary.against_baseline->time = 1.063;
  EXPECT_NE(known.verdict().find("; the bound of 5 % was missed by 1.3 points."),
            std::string::npos);
  EXPECT_EQ(known.verdict().find("Failure"), 0U);
}

// test::job_in_gears(): two nodes that draw 20 W each while they compute, 6 W in gear 1; 186 J in
// 10 s by their tables.
Known capped(std::optional<double> average_w, std::optional<double> peak_w) {
  Known known = estimated(1.04, 0.8);
  known.summary.time = Seconds{10};
  known.summary.table_energy = Joules{186};
  if (average_w)
    known.job.settings.power_caps.average = Watts{*average_w};
  if (peak_w)
    known.job.settings.power_caps.peak = Watts{*peak_w};
  return known;
}

TEST(verdict, says_whether_caps_on_power_were_kept) {
  const std::string kept = capped(19, 40).verdict();
  EXPECT_EQ(kept.find("Success"), 0U) << kept;
  EXPECT_NE(kept.find("; the cap of 19 W on average power was kept (18.6 W, by power tables); the "
                      "cap of 40 W on peak power was kept (40 W, by power tables)."),
            std::string::npos)
      << kept;
  for (const auto& [average, peak] : {std::pair{18.5, 40.0}, std::pair{19.0, 39.9}}) {
    const std::string missed = capped(average, peak).verdict();
    EXPECT_EQ(missed.find("Failure"), 0U) << missed;
    EXPECT_NE(missed.find(" power was missed ("), std::string::npos) << missed;
  }
}

TEST(verdict, of_a_cap_prefers_what_was_measured_and_knows_what_nobody_knows) {
  Known known = capped(19, std::nullopt);
  known.summary.measured_energy = Joules{200};
  EXPECT_NE(known.verdict().find("on average power was missed (20 W, measured)"), std::string::npos)
      << known.verdict();
  known = capped(19, 40);
  known.summary.power_assumed = true;
  known.job.run.ranks[0].access->power_assumed = true;
  const std::string unknown = known.verdict();
  EXPECT_NE(unknown.find("whether the cap of 19 W on average power was kept is not known"),
            std::string::npos)
      << unknown;
  EXPECT_NE(unknown.find("whether the cap of 40 W on peak power was kept is not known"),
            std::string::npos)
      << unknown;
}

TEST(verdict, lets_a_bound_give_way_to_a_cap) {
  Known known = capped(19, std::nullopt);
  known.job.settings.max_slowdown = 0.01;
  EXPECT_EQ(known.verdict().find("Failure"), 0U);
  known.job.run.decisions.back().violated = {runtime::bound_given_up};
  EXPECT_EQ(known.verdict().find("Success"), 0U) << known.verdict();
  EXPECT_NE(known.verdict().find("the bound of 1 % was missed by 3.0 points"), std::string::npos);
}

TEST(verdict, says_what_was_assumed) {
  Known known;
  known.summary.gears_in_effect = false;
  known.summary.predicted = Ratio{1.03, 0.8};
  known.summary.assumed = {"generic"};
  EXPECT_NE(known.verdict().find("for 3.0 % more time (predicted; assumed: generic)."),
            std::string::npos);
}

TEST(verdict, calls_a_failure_what_costs_more_than_it_saves) {
  EXPECT_EQ(estimated(1.2, 0.9).verdict().find("Failure: saved 10.0 %"), 0U);
  EXPECT_EQ(estimated(1.02, 1.03).verdict().find("Failure: 3.0 % more energy, 2.0 % more time"),
            0U);
  EXPECT_EQ(estimated(1, 1).verdict().find("Failure: no less energy, no more time"), 0U);
  Known for_energy = estimated(1.2, 0.9);
  for_energy.job.settings.objective = "energy";
  EXPECT_EQ(for_energy.verdict().find("Success"), 0U);
}

TEST(verdict, does_not_believe_that_gears_have_made_the_program_faster) {
  EXPECT_EQ(measured(0.6, 0.5).verdict(),
            "Success: saved 10.0 % of the energy for 1.0 % more time (estimated; no iterations "
            "could be compared; energy by power tables; the run in gear 0 took longer, which gears "
            "cannot explain).");
}

TEST(verdict, does_not_take_what_other_programs_took_for_the_effect_of_gears) {
  Known known = measured(1.3, 0.8);
  known.summary.contended = true;
  EXPECT_EQ(
      known.verdict(),
      "Success: saved 10.0 % of the energy for 1.0 % more time (estimated; no iterations "
      "could be compared; energy by power tables; other programs had the cores in this run or "
      "the one in gear 0).");
  known.summary.whole_run.reset();
  EXPECT_EQ(known.verdict(), "Gears were set; what that came to is not known.");
}

TEST(verdict, without_energy_is_of_the_time) {
  EXPECT_EQ(estimated(1.02, std::nullopt).verdict(),
            "Success: 2.0 % more time (estimated; no iterations could be compared; energy is not "
            "known).");
}

TEST(verdict, of_gears_that_were_not_set_says_what_they_would_have_saved) {
  Known known;
  known.summary.gears_in_effect = false;
  EXPECT_EQ(known.verdict(), "Nothing saved: no gears were set.");
  known.summary.predicted = Ratio{1.03, 0.8};
  EXPECT_EQ(known.verdict(), "Nothing saved: no gears were set. They would have saved 20.0 % of "
                             "the energy of an iteration for 3.0 % more time (predicted).");
}

TEST(verdict, says_what_it_cost_to_look_for_gears_in_vain) {
  Known known;
  known.summary.gears_in_effect = false;
  known.summary.own_ratio = 1.0004;
  EXPECT_EQ(known.verdict(), "Nothing saved: no gears were set.");
  known.summary.own_ratio = 1.043;
  EXPECT_EQ(known.verdict(),
            "Nothing saved: no gears were set; hypermile itself cost 4.3 % of the time.");
  known.job.settings.max_slowdown = 0.05;
  EXPECT_EQ(known.verdict(),
            "Nothing saved: no gears were set; hypermile itself cost 4.3 % of the time.");
  known.job.settings.max_slowdown = 0.03;
  EXPECT_EQ(known.verdict(), "Failure: no gears were set; hypermile itself cost 4.3 % of the time; "
                             "the bound of 3 % was missed by 1.3 points.");
}

TEST(verdict, does_not_hold_a_program_that_is_over_at_once_to_a_bound) {
  Known known;
  known.summary.gears_in_effect = false;
  known.job.settings.max_slowdown = 0.05;
  known.summary.time = Seconds{0.0004};
  known.summary.at_ends = Seconds{0.0076};
  known.summary.own_ratio = 20;
  EXPECT_EQ(known.verdict(), "Nothing saved: no gears were set; the program was over after 0.4 ms, "
                             "and hypermile itself took 7.6 ms.");
  known.summary.at_ends = Seconds{0.0796}; // that is too much for any program
  EXPECT_TRUE(known.verdict().starts_with("Failure")) << known.verdict();
  known.summary.time = Seconds{0.2}; // long enough to choose gears
  known.summary.at_ends = Seconds{0.02};
  known.summary.own_ratio = 1.1;
  EXPECT_TRUE(known.verdict().starts_with("Failure")) << known.verdict();
}

TEST(verdict, is_passed_on_nothing_that_was_only_measured_or_set_by_hand) {
  for (const char* const method : {"none", "fixed"}) {
    Known known = measured(1.2, 0.8);
    known.job.settings.method = method;
    EXPECT_EQ(known.verdict(), "");
  }
}

} // namespace
} // namespace hypermile::report
