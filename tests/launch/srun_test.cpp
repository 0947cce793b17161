#include "launch/srun.hpp"

#include "support/text.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <random>
#include <regex>

namespace hypermile::launch {
namespace {

std::vector<SrunRank> on_node(std::size_t node, std::size_t ranks, double ghz,
                              const std::string& kind = "") {
  return std::vector<SrunRank>(ranks, {.node = node, .kind = kind, .frequency = Hertz{ghz * 1e9}});
}

std::vector<SrunRank> joined(const std::vector<std::vector<SrunRank>>& nodes) {
  std::vector<SrunRank> all;
  for (const auto& ranks : nodes)
    all.insert(all.end(), ranks.begin(), ranks.end());
  return all;
}

std::string refused(const std::vector<SrunRank>& ranks) {
  try {
    return "not refused: " + srun_command(ranks, "./app");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unsupported);
    return error.what();
  }
}

TEST(srun_command, has_a_component_for_each_run_of_nodes_that_are_alike) {
  EXPECT_EQ(srun_command(joined({on_node(0, 2, 2.5), on_node(1, 2, 2.5), on_node(2, 2, 1.2)}),
                         "./app input"),
            "srun --nodes=2 --ntasks=4 --ntasks-per-node=2 --cpu-freq=2500000 ./app input : \\\n"
            "     --nodes=1 --ntasks=2 --ntasks-per-node=2 --cpu-freq=1200000 ./app input\n");
}

TEST(srun_command, says_which_component_is_for_which_kind_of_nodes) {
  const std::string text =
      srun_command(joined({on_node(0, 1, 2, "type fast"), on_node(1, 1, 2, "type slow")}), "./app");
  test::expect_part(text, "# component 0: node of type fast\n# component 1: node of type slow\n");
  EXPECT_EQ(test::count(text, "--cpu-freq=2000000"), 2U);
}

TEST(srun_command, starts_every_rank_once_and_in_order_whatever_the_nodes) {
  std::mt19937 random(4);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::vector<SrunRank>> nodes;
    std::vector<std::string> expected; // the frequency of each rank
    for (std::size_t n = 0; n <= random() % 20; ++n) {
      const std::size_t tasks = 1 + random() % 3;
      const double ghz = 1 + static_cast<double>(random() % 2);
      nodes.push_back(on_node(n, tasks, ghz));
      expected.insert(expected.end(), tasks, ghz > 1.5 ? "2000000" : "1000000");
    }
    const std::string text = srun_command(joined(nodes), "a");
    const std::regex component(
        "--nodes=([0-9]+) --ntasks=([0-9]+) --ntasks-per-node=([0-9]+) --cpu-freq=([0-9]+) a");
    std::vector<std::string> started;
    for (std::sregex_iterator found(text.begin(), text.end(), component), end; found != end;
         ++found) {
      EXPECT_EQ(std::stoul((*found)[1]) * std::stoul((*found)[3]), std::stoul((*found)[2]));
      started.insert(started.end(), std::stoul((*found)[2]), (*found)[4]);
    }
    EXPECT_EQ(started, expected);
  }
}

TEST(srun_command, is_refused_where_slurm_cannot_do_it) {
  auto unknown = on_node(3, 1, 1);
  unknown.front().frequency.reset();
  test::expect_part(refused(unknown), "the frequencies of node 3 are not known");
  test::expect_part(refused(joined({on_node(0, 1, 1), on_node(1, 1, 1), on_node(0, 1, 1)})),
                    "the ranks of node 0 do not follow each other");
  std::vector<std::vector<SrunRank>> alternating;
  for (std::size_t n = 0; n < 129; ++n)
    alternating.push_back(on_node(n, 1, n % 2 == 0 ? 1 : 2));
  test::expect_part(refused(joined(alternating)), "129 components; Slurm takes 128");
}

} // namespace
} // namespace hypermile::launch
