// Ranks of a trace put together: who takes part in what, and which call makes which communicator.

#include "runtime/pmpi/functions.hpp"
#include "runtime/pmpi/observe/communicator.hpp"
#include "trace/assembled.hpp"
#include "trace/rank_builder.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

namespace hypermile::trace {
namespace {

using model::Action;
using runtime::pmpi::Function;

std::vector<std::string> all_functions() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < runtime::pmpi::function_count; ++i)
    names.emplace_back(runtime::pmpi::name(static_cast<Function>(i)));
  return names;
}

/// Two ranks, with MPI_COMM_WORLD as 0.
class TwoRanks {
public:
  IncomingCommunicators communicators{{0, {.name = "MPI_COMM_WORLD", .members = {0, 1}}}};

  void together(std::uint32_t rank, Function function, Collective operation,
                std::uint64_t communicator = 0, std::uint32_t root = IncomingCollective::no_root) {
    call(rank, function, [&](RankBuilder& builder) {
      builder.collective({.event = 0,
                          .operation = operation,
                          .communicator = communicator,
                          .root = root,
                          .sent = 8,
                          .received = 8});
    });
  }
  void send(std::uint32_t rank, std::uint64_t bytes) {
    call(rank, Function::Send, [&](RankBuilder& builder) {
      builder.send({.partner = 1 - rank, .communicator = 0, .tag = 5, .bytes = bytes});
    });
  }
  void receive(std::uint32_t rank, std::uint64_t bytes) {
    call(rank, Function::Recv, [&](RankBuilder& builder) {
      builder.receive({.partner = 1 - rank, .communicator = 0, .tag = 5, .bytes = bytes});
    });
  }
  model::Timeline timeline() {
    std::vector<IncomingRank> ranks;
    for (RankBuilder& builder : builders_)
      ranks.push_back(builder.finish());
    return assembled(std::move(ranks), communicators, all_functions());
  }
  std::string refusal() {
    try {
      (void)timeline();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

private:
  template <class Event> void call(std::uint32_t rank, Function function, Event event) {
    regions_.push_back(std::make_unique<Region>());
    regions_.back()->kind = Region::Kind::mpi;
    regions_.back()->name = "MPI_x";
    regions_.back()->function = static_cast<std::uint16_t>(function);
    RankBuilder& builder = builders_[rank];
    builder.at(++now_);
    builder.enter(*regions_.back());
    event(builder);
    builder.at(++now_);
    builder.leave(*regions_.back());
  }

  std::vector<std::unique_ptr<Region>> regions_;
  std::uint64_t now_ = 0;
  std::vector<RankBuilder> builders_{{0, Speed{1e9}, 1000, communicators},
                                     {1, Speed{1e9}, 1000, communicators}};
};

const model::Operation& operation(const model::Timeline& timeline, std::size_t rank,
                                  std::size_t event) {
  const model::RankTimeline& of = timeline.ranks[rank];
  return of.operations[of.events[event].operation];
}

TEST(assembled_trace, gives_collective_operations_their_members_and_arguments) {
  TwoRanks ranks;
  for (std::uint32_t rank = 0; rank < 2; ++rank)
    ranks.together(rank, Function::Reduce, Collective::reduce, 0, 1);
  const model::Timeline timeline = ranks.timeline();
  for (std::size_t rank = 0; rank < 2; ++rank) {
    const model::Operation& reduce = operation(timeline, rank, 0);
    EXPECT_EQ(reduce.action, Action::arrive);
    EXPECT_EQ(reduce.shape, model::Shape::to_root);
    EXPECT_EQ(reduce.members, 2U);
    EXPECT_EQ(reduce.partner, 1);
    EXPECT_EQ(reduce.communicator, runtime::pmpi::Communicator::world(2).number());
    EXPECT_EQ(timeline.ranks[rank].arguments.at(reduce.arguments - 1).out.counts,
              std::vector<std::uint64_t>{1});
  }
}

TEST(assembled_trace, takes_the_first_call_that_can_have_made_a_communicator) {
  TwoRanks ranks;
  ranks.communicators[3] = {.name = "twin", .members = {1, 0}};
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    ranks.together(rank, Function::Comm_split, Collective::makes_communicator);
    ranks.together(rank, Function::Comm_split, Collective::makes_communicator);
    ranks.together(rank, Function::Barrier, Collective::barrier, 3);
  }
  const model::Timeline timeline = ranks.timeline();
  const auto& arguments = timeline.ranks[0].arguments;
  const model::Arguments& made = arguments.at(operation(timeline, 0, 0).arguments - 1);
  EXPECT_EQ(made.made, operation(timeline, 0, 4).communicator);
  EXPECT_EQ(made.members, (std::vector<std::uint32_t>{1, 0}));
  EXPECT_EQ(arguments.at(operation(timeline, 0, 2).arguments - 1).made, 0U);
}

TEST(assembled_trace, makes_a_communicator_at_the_begin_that_no_call_makes) {
  TwoRanks ranks;
  ranks.communicators[3] = {.name = "twin", .members = {1, 0}};
  for (std::uint32_t rank = 0; rank < 2; ++rank)
    ranks.together(rank, Function::Barrier, Collective::barrier, 3);
  const model::Timeline timeline = ranks.timeline();
  for (std::size_t rank = 0; rank < 2; ++rank) {
    const model::RankTimeline& of = timeline.ranks[rank];
    ASSERT_EQ(of.events.size(), 4U);
    EXPECT_EQ(of.work.size(), 3U);
    const model::Operation& makes = operation(timeline, rank, 0);
    EXPECT_EQ(timeline.functions[makes.function], "Comm_create_group");
    EXPECT_EQ(makes.communicator, operation(timeline, rank, 2).communicator);
    EXPECT_EQ(of.arguments.at(makes.arguments - 1).made, makes.communicator);
  }
}

TEST(assembled_trace, refuses_ranks_that_do_not_fit_together) {
  const auto says = [](TwoRanks& ranks, const char* part) {
    const std::string text = ranks.refusal();
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  TwoRanks alone;
  alone.together(0, Function::Barrier, Collective::barrier);
  says(alone, "rank 0 takes part in 1 collective operations of MPI_COMM_WORLD, and rank 1 in 0");
  TwoRanks differ;
  differ.together(0, Function::Barrier, Collective::barrier);
  differ.together(1, Function::Allreduce, Collective::allreduce);
  says(differ, "differ in what it is");
  TwoRanks rootless;
  for (std::uint32_t rank = 0; rank < 2; ++rank)
    rootless.together(rank, Function::Bcast, Collective::bcast, 0, 7);
  says(rootless, "has a root that is no member: 7");
  TwoRanks lost;
  lost.send(0, 8);
  says(lost, "from rank 0 to rank 1 with tag 5");
  TwoRanks cut;
  cut.send(0, 8);
  cut.receive(1, 4);
  says(cut, "has 8 bytes where it is sent, and 4 where it is received");
}

} // namespace
} // namespace hypermile::trace
