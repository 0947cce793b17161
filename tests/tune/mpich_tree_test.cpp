#include "tune/mpich_tree.hpp"

#include "units/error.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace hypermile::tune {
namespace {

const collective::Collective& bcast() { return collective::collective_named("bcast"); }

/// Built as that of MPICH 4.0, but smaller.
const std::string own =
    R"({"collective=bcast":{"comm_type=intra":{"comm_size<8":{"comm_hierarchy=parent":{)"
    R"("algorithm=MPIR_Bcast_intra_smp":{}},"comm_hierarchy=any":{"algorithm=MPIR_Bcast_intra_binomial":{}}},)"
    R"("comm_size=any":{"avg_msg_size<=12288":{"algorithm=MPIR_Bcast_intra_binomial":{}},)"
    R"("avg_msg_size=any":{"algorithm=MPIR_Bcast_intra_scatter_ring_allgather":{}}}},)"
    R"("comm_type=inter":{"algorithm=MPIR_Bcast_inter_remote_send_local_bcast":{}}},)"
    R"("collective=barrier":{"algorithm=MPIR_Barrier_intra_dissemination":{}}})";

std::vector<Chosen> ring_for_4() {
  return {{.processes = 4,
           .from = {{},
                    {.size_b = 65536,
                     .variant = collective::Variant{.algorithm = "scatter_ring_allgather"}},
                    {.size_b = 100001, .variant = {}}}}};
}

std::string algorithm_at(const std::string& text, std::size_t processes, std::size_t size_b) {
  for (const Expected& expected : expected_of_tree(bcast(), text, "file", own, 9))
    if (expected.processes == processes && expected.size_b == size_b)
      return expected.algorithm;
  ADD_FAILURE() << "not looked at: " << processes << " " << size_b;
  return "";
}

TEST(MpichTree, has_what_was_chosen_and_all_else_from_the_library) {
  const std::string text = mpich_tree(bcast(), ring_for_4(), own);
  EXPECT_EQ(algorithm_at(text, 4, 65535), "");
  EXPECT_EQ(algorithm_at(text, 4, 65536), "scatter_ring_allgather");
  EXPECT_EQ(algorithm_at(text, 4, 100000), "scatter_ring_allgather");
  EXPECT_EQ(algorithm_at(text, 4, 100001), "");
  EXPECT_EQ(algorithm_at(text, 3, 65536), ""); // comm_hierarchy, as the library's own rules say
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

void expect_refused(const std::string& text, const std::string& why) {
  try {
    (void)expected_of_tree(bcast(), text, "tree.json", own, 4);
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
  expect_refused("{", "tree.json");
  expect_refused("[]", "not an object");
  expect_refused(
      without(own, R"(,"collective=barrier":{"algorithm=MPIR_Barrier_intra_dissemination":{}})"),
      "'collective=barrier' is missing");
  expect_refused(
      without(own,
              R"(,"avg_msg_size=any":{"algorithm=MPIR_Bcast_intra_scatter_ring_allgather":{}})"),
      "avg_msg_size=any");
  std::string other = own;
  other.replace(other.find("intra_scatter_ring"), 18, "intra_scatter_king");
  expect_refused(other, "MPICH has no");
}

TEST(MpichTree, a_library_with_another_kind_of_tree_is_refused) {
  EXPECT_THROW((void)mpich_tree(bcast(), ring_for_4(), "{}"), Error);
}

} // namespace
} // namespace hypermile::tune
