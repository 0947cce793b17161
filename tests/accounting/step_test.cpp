#include "accounting/place_pattern.hpp"
#include "accounting/step.hpp"

#include "support/text.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <map>

namespace hypermile::accounting {
namespace {

Step step_with(const std::map<std::string, std::string>& variables) {
  return step_in(
      [&](const std::string& name) {
        const auto found = variables.find(name);
        return found == variables.end() ? std::nullopt : std::optional(found->second);
      },
      "me");
}

TEST(step, is_known_by_the_variables_of_slurm) {
  const Step step = step_with({{"SLURM_JOB_ID", "123"},
                               {"SLURM_STEP_ID", "4"},
                               {"SLURM_JOB_USER", "anna"},
                               {"SLURM_CLUSTER_NAME", "one"}});
  EXPECT_EQ(step.sacct_id(), "123.4");
  EXPECT_EQ(step.user, "anna");
  EXPECT_EQ(step.cluster, "one");
}

TEST(step, of_what_a_batch_script_or_the_shell_of_salloc_starts_is_called_as_sacct_does) {
  EXPECT_EQ(step_with({{"SLURM_JOB_ID", "123"}}).sacct_id(), "123.batch");
  // 0xfffffffb and 0xfffffffa: SLURM_BATCH_SCRIPT and SLURM_INTERACTIVE_STEP of slurm.h
  EXPECT_EQ(step_with({{"SLURM_JOB_ID", "1"}, {"SLURM_STEP_ID", "4294967291"}}).step, "batch");
  EXPECT_EQ(step_with({{"SLURM_JOB_ID", "1"}, {"SLURM_STEP_ID", "4294967290"}}).step,
            "interactive");
}

TEST(step, outside_of_slurm_has_a_user_only) {
  for (const auto& variables : std::vector<std::map<std::string, std::string>>{
           {}, {{"SLURM_JOB_ID", "12x"}}, {{"SLURM_STEP_ID", "0"}}}) {
    const Step step = step_with(variables);
    EXPECT_EQ(step.sacct_id(), "");
    EXPECT_EQ(step.user, "me");
  }
}

const Step some_step{.job = 123, .step = "batch", .user = "anna"};

TEST(place_pattern, puts_in_job_step_user_and_node) {
  EXPECT_EQ(put_in("/x/%u/%j.%s-%n", some_step, "n1", 7), "/x/anna/123.batch-n1");
  EXPECT_EQ(put_in("100%%", some_step, "n1", 7), "100%");
  EXPECT_EQ(put_in("", some_step, "n1", 7), "");
}

TEST(place_pattern, outside_of_slurm_tells_processes_apart) {
  EXPECT_EQ(put_in("hypermile-%j.%s", {.user = "me"}, "n1", 7), "hypermile-nojob.7");
}

TEST(place_pattern, lets_no_name_lead_to_another_folder) {
  Step step = some_step;
  step.user = "../../etc";
  EXPECT_EQ(put_in("/x/%u", step, "..", 7), "/x/.._.._etc");
  EXPECT_EQ(put_in("/x/%n/a", step, "..", 7), "/x/_/a");
}

TEST(place_pattern, refuses_what_a_percent_sign_cannot_mean) {
  for (const std::string pattern : {"%x", "a%", "%J"}) {
    EXPECT_THROW(check_pattern(pattern), Error) << pattern;
    try {
      check_pattern(pattern);
    } catch (const Error& error) {
      EXPECT_TRUE(test::contains(error.what(), "'" + pattern + "' has a %")) << error.what();
    }
  }
}

} // namespace
} // namespace hypermile::accounting
