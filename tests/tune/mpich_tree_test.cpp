#include "tune/mpich_tree.hpp"

#include "units/error.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>
#include <set>

namespace hypermile::tune {
namespace {

/// Built as that of MPICH 4.0, but smaller.
const std::string own =
    R"({"collective=bcast":{"comm_type=intra":{"comm_size<8":{"comm_hierarchy=parent":{)"
    R"("algorithm=MPIR_Bcast_intra_smp":{}},"comm_hierarchy=any":{"algorithm=MPIR_Bcast_intra_binomial":{}}},)"
    R"("comm_size=any":{"avg_msg_size<=12288":{"algorithm=MPIR_Bcast_intra_binomial":{}},)"
    R"("avg_msg_size=any":{"algorithm=MPIR_Bcast_intra_scatter_ring_allgather":{}}}},)"
    R"("comm_type=inter":{"algorithm=MPIR_Bcast_inter_remote_send_local_bcast":{}}},)"
    R"("collective=barrier":{"algorithm=MPIR_Barrier_intra_dissemination":{}}})";

/// From 64 KiB to 100 kB.
Choices chosen_for_4(const std::string& collective, const std::string& algorithm) {
  return {.collective = &collective::collective_named(collective),
          .chosen = {
              {.processes = 4,
               .from = {{},
                        {.size_b = 65536, .variant = collective::Variant{.algorithm = algorithm}},
                        {.size_b = 100008, .variant = {}}}}}};
}
Choices ring_for_4() { return chosen_for_4("bcast", "scatter_ring_allgather"); }

std::string algorithm_at(const std::string& text, std::size_t processes, std::size_t size_b) {
  for (const Expected& expected : expected_of_tree(text, "file", own, 9))
    if (expected.processes == processes && expected.size_b == size_b)
      return expected.algorithm;
  ADD_FAILURE() << "not looked at: " << processes << " " << size_b;
  return "";
}

TEST(MpichTree, has_what_was_chosen_and_all_else_from_the_library) {
  const std::string text = mpich_tree({ring_for_4()}, own);
  EXPECT_EQ(algorithm_at(text, 4, 65535), "");
  EXPECT_EQ(algorithm_at(text, 4, 65536), "scatter_ring_allgather");
  EXPECT_EQ(algorithm_at(text, 4, 100007), "scatter_ring_allgather");
  EXPECT_EQ(algorithm_at(text, 4, 100008), "");
  EXPECT_EQ(algorithm_at(text, 3, 1024), ""); // comm_hierarchy, as the library's own rules say
  EXPECT_EQ(algorithm_at(text, 9, 12288), "binomial");
  EXPECT_EQ(algorithm_at(text, 9, 12289), "scatter_ring_allgather");
  using Json = nlohmann::ordered_json;
  const Json tree = Json::parse(text);
  const Json library = Json::parse(own);
  EXPECT_EQ(tree["collective=barrier"], library["collective=barrier"]);
  EXPECT_EQ(tree["collective=bcast"]["comm_type=inter"],
            library["collective=bcast"]["comm_type=inter"]);
  EXPECT_EQ(tree["collective=bcast"]["comm_type=intra"]["comm_size=any"],
            library["collective=bcast"]["comm_type=intra"]);
}

void expect_tree_refused(const std::string& text, const std::string& why) {
  try {
    (void)expected_of_tree(text, "tree.json", own, 4);
    ADD_FAILURE() << "taken: " << text;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
  }
}

std::string without(std::string text, const std::string& part) {
  const auto at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.erase(at, part.size());
}

TEST(MpichTree, known_traps_are_refused_with_the_reason) {
  expect_tree_refused("{", "tree.json");
  expect_tree_refused("[]", "not an object");
  expect_tree_refused(
      without(own, R"(,"collective=barrier":{"algorithm=MPIR_Barrier_intra_dissemination":{}})"),
      "'collective=barrier' is missing");
  expect_tree_refused(
      without(own,
              R"(,"avg_msg_size=any":{"algorithm=MPIR_Bcast_intra_scatter_ring_allgather":{}})"),
      "avg_msg_size=any");
  std::string other = own;
  other.replace(other.find("intra_scatter_ring"), 18, "intra_scatter_king");
  expect_tree_refused(other, "MPICH has no");
}

/// As in MPICH 4.0, each in its own way.
const std::string own_of_four =
    own.substr(0, own.size() - 1) +
    R"(,"collective=allreduce":{"comm_type=intra":{"avg_msg_size<=8":{)"
    R"("algorithm=MPIR_Allreduce_intra_recursive_doubling":{}},"avg_msg_size=any":{)"
    R"("is_op_built_in=no":{"algorithm=MPIR_Allreduce_intra_recursive_doubling":{}},)"
    R"("is_op_built_in=yes":{"count<pow2":{"algorithm=MPIR_Allreduce_intra_recursive_doubling":{}},)"
    R"("count=any":{"algorithm=MPIR_Allreduce_intra_reduce_scatter_allgather":{}}}}}},)"
    R"("collective=allgather":{"comm_type=intra":{"comm_size=pow2":{"total_msg_size<524288":{)"
    R"("algorithm=MPIR_Allgather_intra_recursive_doubling":{}},"total_msg_size=any":{)"
    R"("algorithm=MPIR_Allgather_intra_ring":{}}},"comm_size=any":{)"
    R"("algorithm=MPIR_Allgather_intra_brucks":{}}}},)"
    R"("collective=alltoall":{"comm_type=intra":{"is_sendbuf_inplace=yes":{)"
    R"("algorithm=MPIR_Alltoall_intra_pairwise_sendrecv_replace":{}},"is_sendbuf_inplace=no":{)"
    R"("algorithm=MPIR_Alltoall_intra_scattered":{}}}}})";

/// The algorithm for 4 processes by size, as the tree has it.
std::map<std::size_t, std::string> for_4(const std::string& text) {
  std::map<std::size_t, std::string> all;
  for (const Expected& expected : expected_of_tree(text, "file", own_of_four, 5))
    if (expected.processes == 4)
      all[expected.size_b] = expected.algorithm;
  return all;
}

TEST(MpichTree, measures_the_size_of_each_collective_as_the_library_does) {
  const auto gathered = for_4(mpich_tree({chosen_for_4("allgather", "brucks")}, own_of_four));
  EXPECT_EQ(gathered.at(65535), "recursive_doubling"); // 4 times that is below 512 KiB
  EXPECT_EQ(gathered.at(65536), "brucks");
  EXPECT_EQ(gathered.at(100007), "brucks");
  EXPECT_EQ(gathered.at(100008), "recursive_doubling");
  EXPECT_EQ(gathered.at(131072), "ring");
  const std::string text = mpich_tree({chosen_for_4("allgather", "brucks")}, own_of_four);
  EXPECT_NE(text.find("total_msg_size<262144"), std::string::npos) << text;
  const auto exchanged = for_4(mpich_tree({chosen_for_4("alltoall", "pairwise")}, own_of_four));
  EXPECT_EQ(exchanged.at(65535), "scattered");
  EXPECT_EQ(exchanged.at(65536), "pairwise");
}

/// Once the tree has sent it there, MPICH does not look whether an algorithm may be used.
TEST(MpichTree, algorithms_keep_the_conditions_that_they_have_in_the_library) {
  using Json = nlohmann::ordered_json;
  const auto chosen_part = [](const Choices& choices) {
    const Json tree = Json::parse(mpich_tree({choices}, own_of_four));
    return tree.at("collective=" + std::string(choices.collective->name))
        .at("comm_type=intra")
        .at("comm_size<=4")
        .at("avg_msg_size<100008");
  };
  const Json reduced = chosen_part(chosen_for_4("allreduce", "reduce_scatter_allgather"));
  EXPECT_TRUE(reduced.at("is_op_built_in=no")
                  .contains("algorithm=MPIR_Allreduce_intra_recursive_doubling"));
  EXPECT_TRUE(reduced.at("is_op_built_in=yes")
                  .at("count=any")
                  .contains("algorithm=MPIR_Allreduce_intra_reduce_scatter_allgather"));
  const Json exchanged = chosen_part(chosen_for_4("alltoall", "brucks"));
  EXPECT_TRUE(exchanged.at("is_sendbuf_inplace=yes")
                  .contains("algorithm=MPIR_Alltoall_intra_pairwise_sendrecv_replace"));
  EXPECT_TRUE(
      exchanged.at("is_sendbuf_inplace=no").contains("algorithm=MPIR_Alltoall_intra_brucks"));
}

TEST(MpichTree, several_collectives_are_looked_at_and_those_only) {
  const auto of = [](const std::vector<Choices>& choices) {
    std::set<std::string_view> names;
    for (const Expected& one :
         expected_of_tree(mpich_tree(choices, own_of_four), "file", own_of_four, 5))
      names.insert(one.collective->name);
    return names;
  };
  EXPECT_EQ(of({ring_for_4(), chosen_for_4("alltoall", "brucks")}),
            (std::set<std::string_view>{"alltoall", "bcast"}));
  EXPECT_EQ(of({}), (std::set<std::string_view>{"allgather", "allreduce", "alltoall", "bcast"}));
}

TEST(MpichTree, a_size_that_the_library_does_not_measure_is_refused) {
  std::string text = own_of_four;
  for (const std::string other : {"<524288", "=any"}) {
    const auto at = text.find("total_msg_size" + other);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, 14, "avg_msg_size");
  }
  try {
    (void)expected_of_tree(text, "tree.json", own_of_four, 4);
    ADD_FAILURE() << "taken: " << text;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("no such size for allgather"), std::string::npos)
        << error.what();
  }
}

TEST(MpichTree, a_library_with_another_kind_of_tree_is_refused) {
  EXPECT_THROW((void)mpich_tree({ring_for_4()}, "{}"), Error);
}

} // namespace
} // namespace hypermile::tune
