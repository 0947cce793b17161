// What is kept of a job: which job it is, its file, and what another run adds.

#include "learn/memory.hpp"

#include "io/platform_yaml.hpp"
#include "learn/jobs.hpp"
#include "learn/learnt_platform.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

namespace hypermile::learn {
namespace {

using test::identity;
using test::memory_of;
using test::ranks_of_job;
using test::recorded;
using test::reports_of;

void expect_refusal(const std::string& bytes) {
  try {
    (void)parse_memory(bytes, "the-file.memory");
    ADD_FAILURE() << "was accepted: " << bytes.size() << " bytes";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config);
    EXPECT_NE(std::string(error.what()).find("the-file.memory"), std::string::npos);
  }
}

TEST(identity, does_not_depend_on_the_names_of_nodes) {
  Identity other = identity();
  for (runtime::RankNode& node : other.nodes)
    node.name += ".elsewhere";
  EXPECT_EQ(key_of(identity()), key_of(other));
}

TEST(identity, depends_on_program_arguments_ranks_types_and_who_shares_a_node) {
  std::vector<Identity> all{identity(), identity({"--class", "W"}), identity({"--classS"}),
                            identity({}), identity()};
  all.back().program = "other";
  all.push_back(identity());
  all.back().nodes.pop_back();
  all.push_back(identity());
  all.back().nodes[1].type.name = "another";
  all.push_back(identity());
  all.back().nodes[1].type.gears = model::GearTable{{Hertz{2e9}, Hertz{1.5e9}}};
  all.push_back(identity());
  all.back().nodes[1].name = all.back().nodes[0].name;
  for (std::size_t a = 0; a < all.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      EXPECT_NE(key_of(all[a]), key_of(all[b])) << a << " " << b;
      EXPECT_NE(file_name_of(all[a]), file_name_of(all[b])) << a << " " << b;
    }
}

TEST(identity, gives_a_file_name_without_what_a_shell_or_folder_minds) {
  Identity strange = identity();
  strange.program = "../a b$;\n";
  const std::string name = file_name_of(strange);
  EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-."), std::string::npos)
      << name;
  EXPECT_TRUE(name.starts_with("___a_b")) << name;
}

/// But for nanoseconds, to which the times of events are rounded.
TEST(memory, is_the_same_when_it_is_written_and_read_again) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const Memory memory = memory_of(recorded(seed));
    const Memory again = parse_memory(print_memory(memory), "again");
    EXPECT_EQ(key_of(again.identity), key_of(memory.identity));
    EXPECT_EQ(again.functions, memory.functions);
    ASSERT_EQ(again.ranks.size(), memory.ranks.size());
    for (std::size_t r = 0; r < memory.ranks.size(); ++r) {
      const runtime::Lesson& known = *memory.ranks[r].lesson;
      const runtime::Lesson& read = *again.ranks[r].lesson;
      EXPECT_EQ(read.outline.computation, known.outline.computation);
      EXPECT_EQ(read.outline.total, known.outline.total);
      EXPECT_EQ(read.outline.calls, known.outline.calls);
      EXPECT_EQ(read.timeline.operations, known.timeline.operations);
      EXPECT_EQ(read.timeline.events.size(), known.timeline.events.size());
      EXPECT_NEAR(model::end(read.timeline).value(), model::end(known.timeline).value(), 1e-7);
    }
  }
}

TEST(memory, knows_the_folder_of_the_program_which_does_not_make_it_another_job) {
  Memory memory = memory_of(recorded(3));
  EXPECT_EQ(shell_command_of(memory.identity), command_of(memory.identity)); // it is not known
  memory.identity.started_as = "./my jobs/app";
  EXPECT_EQ(key_of(memory.identity), key_of(identity()));
  const Memory again = parse_memory(print_memory(memory), "again");
  EXPECT_EQ(shell_command_of(again.identity), "'./my jobs/app' --class S");
  EXPECT_EQ(command_of(again.identity), "app --class S");
}

/// What meters taught of the type of the job's nodes, all of it in gear 0.
std::vector<runtime::LearntPower> power(double watts, std::size_t nodes = 1) {
  runtime::LearntPower learnt{.type = identity().nodes[0].type, .nodes = nodes};
  learnt.gears.resize(learnt.type.gears.size());
  learnt.gears[0].metered = Seconds{10};
  learnt.gears[0].computing = {watts, 0.9 * watts, 1.1 * watts};
  learnt.table.assign(learnt.type.gears.size(), {Watts{watts}, Watts{watts / 2}, Watts{watts / 4}});
  learnt.sums[0].add(Seconds{10}, Seconds{10}, Joules{10 * watts});
  return {learnt};
}

Memory with_power(std::vector<runtime::LearntPower> learnt) {
  const auto timeline = recorded(3);
  return first_memory(identity(), timeline.functions, reports_of(timeline), std::move(learnt));
}

TEST(memory, keeps_what_meters_taught_and_plans_by_it) {
  const Memory memory = parse_memory(print_memory(with_power(power(30))), "again");
  ASSERT_EQ(memory.power.size(), 1U);
  EXPECT_EQ(memory.power[0].sums, power(30)[0].sums);
  EXPECT_EQ(memory.ranks[0].node.type.power[0].computing, Watts{30});
  auto unsure = power(30);
  unsure[0].why_not = "too little is known";
  EXPECT_EQ(with_power(unsure).ranks[0].node.type.power[0].computing,
            identity().nodes[0].type.power[0].computing);
}

TEST(another_run, without_meters_keeps_what_they_taught) {
  const Memory without = improve(with_power(power(30)), with_power({})).memory;
  EXPECT_EQ(without.power.at(0).sums, power(30)[0].sums);
  EXPECT_EQ(without.ranks[0].node.type.power[0].computing, Watts{30});
  EXPECT_EQ(improve(with_power(power(30)), with_power(power(15, 0))).memory.power.at(0).sums,
            power(30)[0].sums);
  EXPECT_EQ(improve(with_power(power(30)), with_power(power(40))).memory.power.at(0).sums,
            power(40)[0].sums);
}

TEST(learnt_platform, has_the_nodes_of_the_job_with_the_power_that_meters_taught) {
  const std::string text = learnt_platform(with_power(power(30)), "a.memory");
  const auto platform = io::parse_platform(text, "printed");
  ASSERT_EQ(platform.groups.size(), 1U);
  EXPECT_EQ(platform.groups[0].count, ranks_of_job);
  EXPECT_EQ(platform.groups[0].type.power, power(30)[0].table);
  EXPECT_NE(model::type_of_host(platform, "node-2"), nullptr);
  EXPECT_EQ(model::type_of_host(platform, "elsewhere"), nullptr);
  EXPECT_NE(text.find("2 GHz: computing 30.0 W (27.0 to 33.0)"), std::string::npos) << text;
}

TEST(learnt_platform, is_refused_where_no_meter_taught_anything) {
  try {
    (void)learnt_platform(with_power({}), "a.memory");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config);
    EXPECT_NE(std::string(error.what()).find("a.memory"), std::string::npos);
  }
}

TEST(memory, that_is_cut_off_anywhere_is_refused) {
  const std::string bytes = print_memory(memory_of(recorded(1, 1)));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    expect_refusal(bytes.substr(0, size));
  expect_refusal(bytes + '\0');
}

TEST(memory, with_a_flipped_bit_anywhere_is_refused) {
  const std::string bytes = print_memory(memory_of(recorded(1, 1)));
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    expect_refusal(flipped);
  }
}

TEST(memory, of_another_version_is_refused) {
  std::string bytes = print_memory(memory_of(recorded(1, 1)));
  bytes[bytes.find("/1\n") + 1] = '2';
  expect_refusal(bytes);
  expect_refusal("");
  expect_refusal("{\"schema\": \"hypermile/plan/1\"}");
}

TEST(another_run, of_the_same_input_adds_to_what_is_known) {
  const Memory first = memory_of(recorded(3));
  const Improved improved = improve(first, first);
  EXPECT_EQ(improved.difference, "");
  EXPECT_EQ(improved.memory.runs, 2u);
  EXPECT_EQ(improve(improved.memory, first).memory.runs, 3u);
  EXPECT_EQ(improved.memory.ranks[1].lesson->outline.total, first.ranks[1].lesson->outline.total);
}

TEST(another_run, counts_as_much_as_each_of_those_before) {
  const Memory first = memory_of(recorded(3));
  Memory second = first;
  for (auto& rank : second.ranks)
    rank.lesson->outline.total = 1.2 * rank.lesson->outline.total;
  const Improved improved = improve(first, second);
  EXPECT_NEAR(improved.memory.ranks[2].lesson->outline.total / first.ranks[2].lesson->outline.total,
              1.1, 1e-12);
}

TEST(another_run, of_another_input_replaces_what_is_known_and_says_why) {
  const Memory first = memory_of(recorded(3, 3));
  Memory larger = first;
  for (auto& rank : larger.ranks)
    rank.lesson->outline.total = 4 * rank.lesson->outline.total + Seconds{1};
  const Improved improved = improve(first, larger);
  EXPECT_NE(improved.difference.find("rank 0"), std::string::npos);
  EXPECT_EQ(improved.memory.runs, 1u);
  EXPECT_EQ(improved.memory.ranks[0].lesson->outline.total, larger.ranks[0].lesson->outline.total);
}

TEST(another_run, whose_timeline_is_of_less_keeps_the_one_that_is_known) {
  const Memory first = memory_of(recorded(3, 8));
  Memory second = first;
  for (auto& rank : second.ranks) {
    model::RankTimeline& timeline = rank.lesson->timeline;
    timeline = model::cut(timeline, model::end(timeline) - 0.3 * rank.time, Seconds{1e9});
  }
  const Improved improved = improve(first, second);
  EXPECT_EQ(improved.memory.ranks[0].lesson->timeline.events.size(),
            first.ranks[0].lesson->timeline.events.size());
}

} // namespace
} // namespace hypermile::learn
