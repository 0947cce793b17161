#include "runtime/settings.hpp"

#include "runtime/request.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

namespace hypermile::runtime {
namespace {

Settings read(const std::map<std::string, std::string>& variables) {
  return read_settings([&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  });
}

TEST(settings, optimise_the_distance_exactly_where_nothing_is_said) {
  const Settings settings = read({});
  EXPECT_EQ(settings.method, "exact");
  EXPECT_EQ(settings.objective, "maxdist");
  EXPECT_EQ(settings.result_file, "");
  EXPECT_FALSE(settings.reference_speed);
}

TEST(settings, arrive_as_they_were_sent) {
  const Settings sent{.method = "alg5",
                      .objective = "edp",
                      .time_model = "cluster",
                      .result_file = "/tmp/result file",
                      .status_file = "/tmp/status",
                      .recording_file = "/tmp/computation.txt",
                      .record_to = "/tmp/record",
                      .timeline_file = "/tmp/timeline.txt",
                      .gears = {},
                      .max_slowdown = 0.05,
                      .sensitivities = {.calls = {{"Send", 2, 0.1}}, .otherwise = 0.7},
                      .confidence = 0.9,
                      .think = Seconds{0.123456789012345},
                      .reference_speed = Speed{110123456789.25}};
  const auto variables = to_environment(sent);
  const Settings received = read({variables.begin(), variables.end()});
  EXPECT_EQ(received.method, sent.method);
  EXPECT_EQ(received.objective, sent.objective);
  EXPECT_EQ(received.result_file, sent.result_file);
  EXPECT_EQ(received.status_file, sent.status_file);
  EXPECT_EQ(received.recording_file, sent.recording_file);
  EXPECT_EQ(received.record_to, sent.record_to);
  EXPECT_EQ(received.timeline_file, sent.timeline_file);
  EXPECT_EQ(received.time_model, sent.time_model);
  EXPECT_EQ(received.max_slowdown, sent.max_slowdown);
  EXPECT_EQ(received.sensitivities, sent.sensitivities);
  EXPECT_EQ(received.confidence, sent.confidence);
  EXPECT_EQ(received.think, sent.think);
  EXPECT_EQ(received.reference_speed, sent.reference_speed); // to the last bit
}

TEST(settings, tell_caps_on_power_to_the_last_bit) {
  Settings sent;
  sent.power_caps = {.average = Watts{1234.5678901234567}, .peak = Watts{2e3 / 3}};
  const auto variables = to_environment(sent);
  const Settings received = read({variables.begin(), variables.end()});
  EXPECT_EQ(received.power_caps, sent.power_caps);
  const auto request = to_request(received);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->constraints.average_power_cap, sent.power_caps.average);
  EXPECT_EQ(request->constraints.peak_power_cap, sent.power_caps.peak);
  EXPECT_TRUE(read({}).power_caps.none());
  EXPECT_TRUE(is_setting("HYPERMILE_POWER_CAP"));
  for (const char* const wrong : {"", "2", "-2kW", "0W", "2kW,3kW", "2kW,"})
    EXPECT_THROW((void)read({{"HYPERMILE_POWER_CAP", wrong}}), Error) << wrong;
}

TEST(settings, with_caps_need_a_method_that_keeps_them) {
  EXPECT_THROW(
      (void)to_request(read({{"HYPERMILE_POWER_CAP", "2kW"}, {"HYPERMILE_METHOD", "alg5"}})),
      Error);
  EXPECT_FALSE(to_request(read({{"HYPERMILE_POWER_CAP", "2kW"}, {"HYPERMILE_METHOD", "none"}})));
}

TEST(settings, name_what_is_assumed_of_machines) {
  Settings sent;
  sent.platform_folder = "/a/platforms";
  sent.assume = "xeon-x5660";
  sent.generic_platform = "/a/generic.yaml";
  const auto variables = to_environment(sent);
  const Settings received = read({variables.begin(), variables.end()});
  EXPECT_EQ(received.platform_folder, sent.platform_folder);
  EXPECT_EQ(received.assume, sent.assume);
  EXPECT_EQ(received.generic_platform, sent.generic_platform);
}

TEST(settings, say_whether_ranks_wait_for_a_choice) {
  EXPECT_EQ(read({}).apply, Apply::brief);
  EXPECT_EQ(read({{"HYPERMILE_APPLY", "sync"}}).apply, Apply::sync);
  Settings sent;
  sent.apply = Apply::async;
  const auto variables = to_environment(sent);
  EXPECT_EQ(read({variables.begin(), variables.end()}).apply, Apply::async);
  EXPECT_THROW((void)read({{"HYPERMILE_APPLY", "later"}}), Error);
}

TEST(settings, say_whether_ranks_wait_gently) {
  EXPECT_FALSE(read({}).gentle_wait);
  EXPECT_TRUE(is_setting("HYPERMILE_GENTLE_WAIT"));
  Settings sent;
  sent.gentle_wait = true;
  const auto variables = to_environment(sent);
  EXPECT_TRUE(read({variables.begin(), variables.end()}).gentle_wait);
  EXPECT_THROW((void)read({{"HYPERMILE_GENTLE_WAIT", "maybe"}}), Error);
}

TEST(settings, say_when_nodes_get_a_wait_gear_and_what_waiting_draws) {
  EXPECT_EQ(read({}).wait_gear, WaitGear::off);
  EXPECT_FALSE(read({}).waits_spinning);
  for (const WaitGear when : {WaitGear::off, WaitGear::model, WaitGear::timer})
    for (const bool spinning : {false, true}) {
      Settings sent;
      sent.wait_gear = when;
      sent.waits_spinning = spinning;
      const auto variables = to_environment(sent);
      const Settings received = read({variables.begin(), variables.end()});
      EXPECT_EQ(received.wait_gear, when);
      EXPECT_EQ(received.waits_spinning, spinning);
    }
  for (const char* const name : {"HYPERMILE_WAIT_GEAR", "HYPERMILE_WAITING"}) {
    EXPECT_TRUE(is_setting(name));
    EXPECT_THROW((void)read({{name, "on"}}), Error);
  }
}

TEST(settings, say_how_long_a_simulated_change_of_gears_takes) {
  EXPECT_FALSE(read({}).gear_change);
  EXPECT_TRUE(is_setting("HYPERMILE_GEAR_CHANGE"));
  Settings sent;
  sent.gear_change = Seconds{50e-6};
  const auto variables = to_environment(sent);
  EXPECT_EQ(read({variables.begin(), variables.end()}).gear_change, sent.gear_change);
}

TEST(settings, say_whether_ranks_have_equal_shares) {
  EXPECT_FALSE(read({}).equal_shares);
  EXPECT_TRUE(is_setting("HYPERMILE_EQUAL_SHARES"));
  Settings sent;
  sent.equal_shares = true;
  const auto variables = to_environment(sent);
  EXPECT_TRUE(read({variables.begin(), variables.end()}).equal_shares);
  EXPECT_THROW((void)read({{"HYPERMILE_EQUAL_SHARES", "maybe"}}), Error);
}

TEST(settings, say_when_gears_are_chosen_again) {
  EXPECT_FALSE(read({}).every);
  EXPECT_FALSE(read({}).adaptive);
  Settings sent;
  sent.every = 250;
  auto variables = to_environment(sent);
  EXPECT_EQ(read({variables.begin(), variables.end()}).every, 250U);
  sent.every.reset();
  sent.adaptive = true;
  variables = to_environment(sent);
  const Settings received = read({variables.begin(), variables.end()});
  EXPECT_TRUE(received.adaptive);
  EXPECT_TRUE(to_time_model(received, {}).repetition.adaptive);
  for (const char* wrong : {"0", "-1", "ten", "1.5", "", "3x"})
    EXPECT_THROW((void)read({{"HYPERMILE_EVERY", wrong}}), Error) << wrong;
  EXPECT_THROW((void)read({{"HYPERMILE_EVERY", "5"}, {"HYPERMILE_ADAPTIVE", "on"}}), Error);
}

TEST(settings, send_fixed_gears) {
  Settings sent;
  sent.method = "fixed";
  sent.gears = {4, 0, 12};
  const auto variables = to_environment(sent);
  EXPECT_EQ(read({variables.begin(), variables.end()}).gears, sent.gears);
}

TEST(settings, fix_the_gears_where_they_are_given) {
  const Settings settings = read({{"HYPERMILE_GEARS", "0,3,5"}, {"HYPERMILE_METHOD", "exact"}});
  EXPECT_EQ(settings.gears, (std::vector<model::Gear>{0, 3, 5}));
  EXPECT_EQ(settings.method, "fixed");
  EXPECT_FALSE(to_request(settings));
}

TEST(settings, name_the_variable_of_gears_that_cannot_be_read) {
  try {
    (void)read({{"HYPERMILE_GEARS", "0,fast"}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config);
    EXPECT_NE(std::string(error.what()).find("HYPERMILE_GEARS: 'fast'"), std::string::npos);
  }
}

TEST(settings, set_no_variable_for_what_is_not_wanted) {
  const auto variables = to_environment(Settings{});
  EXPECT_EQ(variables.size(), 6u); // method, objective, time model, backend, meter and no bound
}

TEST(settings, name_no_bound_by_none) {
  const auto read_bound = [](const std::string& text) {
    return read_settings([&](const std::string& name) {
             return name == "HYPERMILE_MAX_SLOWDOWN" ? std::optional(text) : std::nullopt;
           })
        .max_slowdown;
  };
  EXPECT_EQ(read_bound("none"), std::nullopt);
  EXPECT_EQ(read_bound("3%"), 0.03);
  EXPECT_EQ(read_bound("150%"), 1.5);
  for (const char* const wrong : {"-5%", "nan", "", "None", "5"})
    EXPECT_THROW(read_bound(wrong), Error) << wrong;
}

TEST(settings, tell_bounds_of_every_size) {
  for (const double bound : {0.0, 0.05, 2.0 / 3, 1.0, 1.5, 12.0}) {
    Settings sent;
    sent.max_slowdown = bound;
    const auto variables = to_environment(sent);
    const Settings received = read({variables.begin(), variables.end()});
    ASSERT_TRUE(received.max_slowdown);
    EXPECT_DOUBLE_EQ(*received.max_slowdown, bound);
  }
}

TEST(settings, are_told_from_other_variables) {
  for (const auto& [name, value] : to_environment(Settings{}))
    EXPECT_TRUE(is_setting(name)) << name;
  EXPECT_TRUE(is_setting("HYPERMILE_DRY_RUN"));
  EXPECT_FALSE(is_setting("HYPERMILE_MAXSLOWDOWN"));
}

TEST(settings, of_a_real_machine_are_read_as_they_are_set) {
  Settings settings;
  settings.platform = "/a/b.yaml";
  settings.backend = "emulated";
  settings.meter = "wattmeter:log.csv";
  settings.backend_options = {{"HYPERMILE_SET_COMMAND", "set {khz}"}};
  settings.report_folder = "out";
  settings.dry_run = true;
  std::map<std::string, std::string> variables;
  for (auto& [name, value] : to_environment(settings))
    variables.emplace(name, value);
  const Settings read_back = read(variables);
  EXPECT_EQ(read_back.platform, "/a/b.yaml");
  EXPECT_EQ(read_back.backend, "emulated");
  EXPECT_EQ(read_back.meter, "wattmeter:log.csv");
  EXPECT_EQ(read_back.report_folder, "out");
  EXPECT_TRUE(read_back.dry_run);
  EXPECT_EQ(variables.at("HYPERMILE_SET_COMMAND"), "set {khz}");
}

TEST(settings, refuse_names_that_nothing_has) {
  for (const auto& [name, value] : std::map<std::string, std::string>{
           {"HYPERMILE_DRY_RUN", "maybe"}, {"HYPERMILE_ADAPTIVE", "perhaps"}})
    EXPECT_THROW((void)read({{name, value}}), Error) << name << "=" << value;
}

TEST(settings, name_the_variable_of_a_speed_that_cannot_be_read) {
  try {
    (void)read({{"HYPERMILE_REFERENCE_SPEED", "fast"}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config);
    EXPECT_NE(std::string(error.what()).find("HYPERMILE_REFERENCE_SPEED: "), std::string::npos);
  }
}

TEST(request, follows_method_and_objective) {
  Settings settings;
  settings.method = "alg5-literal";
  settings.objective = "ed2p";
  const auto request = to_request(settings);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->method, select::Method::alg5_literal);
  EXPECT_EQ(request->objective, select::Objective::ed2p);
}

TEST(request, is_none_for_the_method_none) {
  Settings settings;
  settings.method = "none";
  EXPECT_FALSE(to_request(settings));
}

TEST(request, refuses_what_does_not_exist) {
  Settings settings;
  settings.method = "exactly";
  EXPECT_THROW((void)to_request(settings), Error);
  settings.method = "exact";
  settings.objective = "least";
  EXPECT_THROW((void)to_request(settings), Error);
}

TEST(request, refuses_fixed_gears_that_are_not_given) {
  Settings settings;
  settings.method = "fixed";
  EXPECT_THROW((void)to_request(settings), Error);
}

TEST(gears_of_ranks, follow_the_first_rank_on_each_node) {
  EXPECT_EQ(gears_of_ranks({7, 2}, {"b", "a", "a", "b"}), (std::vector<model::Gear>{7, 2, 2, 7}));
}

TEST(gears_of_ranks, must_be_as_many_as_there_are_nodes) {
  EXPECT_THROW((void)gears_of_ranks({1}, {"a", "b"}), Error);
  EXPECT_THROW((void)gears_of_ranks({1, 2, 3}, {"a", "b"}), Error);
}

} // namespace
} // namespace hypermile::runtime
