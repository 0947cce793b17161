// One rank's events of a trace as a timeline; and random events, which are refused or make sense.

#include "runtime/pmpi/functions.hpp"
#include "trace/rank_builder.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <random>

namespace hypermile::trace {
namespace {

using model::Action;
using runtime::pmpi::Function;

Region region(Region::Kind kind, const char* name, Function function) {
  Region made;
  made.kind = kind;
  made.name = name;
  made.function = static_cast<std::uint16_t>(function);
  return made;
}

const Region main_function = region(Region::Kind::program, "main", Function::Init);
const Region solve = region(Region::Kind::program, "solve", Function::Init);
const Region mpi_init = region(Region::Kind::init, "MPI_Init", Function::Init);
const Region mpi_finalize = region(Region::Kind::finalize, "MPI_Finalize", Function::Finalize);
const Region mpi_send = region(Region::Kind::mpi, "MPI_Send", Function::Send);
const Region mpi_irecv = region(Region::Kind::mpi, "MPI_Irecv", Function::Irecv);
const Region mpi_wait = region(Region::Kind::mpi, "MPI_Wait", Function::Wait);
const Region mpi_barrier = region(Region::Kind::mpi, "MPI_Barrier", Function::Barrier);

const IncomingCommunicators communicators{
    {0, {.name = "MPI_COMM_WORLD", .members = {0, 1, 2}}},
    {4, {.name = "half", .members = {2, 0}}},
    {5, {.name = "self", .members = {}, .is_self = true}},
    {6, {.name = "inter", .members = {}, .is_self = false, .is_intercommunicator = true}}};

/// A core of 1000 per second, and ticks of 1 ms.
RankBuilder builder() { return {0, Speed{1000}, 1000, communicators}; }

void call(RankBuilder& rank, const Region& function, std::uint64_t from, std::uint64_t to) {
  rank.at(from);
  rank.enter(function);
  rank.at(to);
  rank.leave(function);
}

std::string refusal(const std::function<void(RankBuilder&)>& events) {
  RankBuilder rank = builder();
  try {
    events(rank);
    (void)rank.finish();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(rank_builder, counts_what_is_between_calls_as_computation) {
  RankBuilder rank = builder();
  rank.at(10);
  rank.enter(main_function);
  call(rank, mpi_init, 20, 100);
  call(rank, mpi_barrier, 400, 450);
  rank.at(500);
  rank.enter(solve);
  call(rank, mpi_wait, 650, 660);
  rank.at(700);
  rank.leave(solve);
  call(rank, mpi_finalize, 1660, 2000);
  rank.at(3000);
  rank.leave(main_function);
  const IncomingRank made = rank.finish();
  const auto& events = made.timeline.events;
  ASSERT_EQ(events.size(), 2U);
  EXPECT_FLOAT_EQ(events[0].computation, 0.3F); // from the end of MPI_Init
  EXPECT_FLOAT_EQ(events[0].duration, 0.05F);
  EXPECT_FLOAT_EQ(events[1].computation, 0.2F);
  EXPECT_EQ(made.timeline.computation_after, Seconds{1}); // to MPI_Finalize
  const std::vector<Work> work{Work{300}, Work{200}, Work{1000}};
  EXPECT_EQ(made.timeline.work, work);
}

TEST(rank_builder, knows_what_was_received_when_it_has_come) {
  RankBuilder rank = builder();
  rank.at(0);
  rank.enter(mpi_irecv);
  rank.start_receive(7);
  rank.at(1);
  rank.leave(mpi_irecv);
  rank.at(5);
  rank.enter(mpi_wait);
  rank.end_receive({.partner = 0, .communicator = 4, .tag = 3, .bytes = 80}, 7);
  rank.at(6);
  rank.leave(mpi_wait);
  const IncomingRank made = rank.finish();
  const auto& timeline = made.timeline;
  ASSERT_EQ(timeline.events.size(), 2U);
  const model::Operation& received = timeline.operations[timeline.events[0].operation];
  EXPECT_EQ(received.action, Action::receive);
  EXPECT_EQ(received.partner, 2); // rank 0 of the communicator
  EXPECT_EQ(received.tag, 3);
  EXPECT_EQ(received.bytes, 80U);
  EXPECT_EQ(received.function, static_cast<std::uint16_t>(Function::Irecv));
  EXPECT_EQ(timeline.events[1].started, 1U);
  EXPECT_EQ(made.first_use.at(4), 0U);
}

TEST(rank_builder, tells_places_of_the_program_apart) {
  RankBuilder rank = builder();
  call(rank, mpi_barrier, 0, 1);
  rank.at(2);
  rank.enter(solve);
  call(rank, mpi_barrier, 3, 4);
  rank.at(5);
  rank.leave(solve);
  call(rank, mpi_barrier, 6, 7);
  const auto timeline = rank.finish().timeline;
  const auto site = [&](std::size_t event) {
    return timeline.operations[timeline.events[event].operation].site;
  };
  EXPECT_EQ(site(0), 1U);
  EXPECT_EQ(site(1), 2U);
  EXPECT_EQ(site(2), 1U);
}

TEST(rank_builder, refuses_what_cannot_be) {
  const auto says = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  says(refusal([](RankBuilder& rank) {
         rank.at(10);
         rank.at(9);
       }),
       "the clock goes back by 0.001000000 s");
  says(refusal([](RankBuilder& rank) {
         rank.at(1);
         rank.leave(mpi_wait);
       }),
       "MPI_Wait is left, which was not entered last");
  says(refusal([](RankBuilder& rank) {
         rank.at(1);
         rank.send({.partner = 1, .communicator = 0, .tag = 0, .bytes = 1});
       }),
       "outside of any MPI function");
  const auto sends = [](RankBuilder::Message message) {
    return [message](RankBuilder& rank) {
      rank.at(1);
      rank.enter(mpi_send);
      rank.send(message);
    };
  };
  says(refusal(sends({.partner = 3, .communicator = 0, .tag = 0, .bytes = 1})),
       "rank 3 of communicator MPI_COMM_WORLD does not exist");
  says(refusal(sends({.partner = 0, .communicator = 9, .tag = 0, .bytes = 1})),
       "communicator 9 is not defined");
  says(refusal(sends({.partner = 0, .communicator = 6, .tag = 0, .bytes = 1})),
       "inter is an inter-communicator");
  says(refusal([](RankBuilder& rank) {
         Region told = mpi_barrier;
         told.is_collective = true;
         call(rank, told, 1, 2);
       }),
       "the trace does not tell of the collective operation in MPI_Barrier");
  says(refusal([](RankBuilder& rank) {
         call(rank, region(Region::Kind::one_sided, "MPI_Put", Function::Put), 1, 2);
       }),
       "MPI_Put is one-sided communication");
  says(refusal([](RankBuilder& rank) {
         rank.at(1);
         rank.enter(mpi_wait);
         rank.end_send(3);
       }),
       "request 3 is completed, which was not begun");
  says(refusal([](RankBuilder& rank) {
         call(rank, mpi_init, 1, 2);
         call(rank, mpi_init, 3, 4);
       }),
       "MPI_Init is called again");
  says(refusal([](RankBuilder& rank) {
         rank.at(1);
         rank.enter(mpi_wait);
       }),
       "the trace ends in MPI_Wait");
}

/// Whatever comes: an Error, or a timeline in which each event fits those before it.
class RandomEvents {
public:
  explicit RandomEvents(unsigned seed) : engine_(seed) {}

  void feed(RankBuilder& rank) {
    std::uint64_t now = pick(100);
    for (std::size_t i = pick(60); i > 0; --i) {
      now += pick(3);
      rank.at(now - (pick(200) == 0 ? 1 : 0));
      one(rank);
    }
    while (!stack_.empty() && pick(20) != 0) {
      rank.leave(*stack_.back());
      stack_.pop_back();
    }
  }

private:
  std::size_t pick(std::size_t below) { return engine_() % below; }

  RankBuilder::Message message() {
    return {.partner = static_cast<std::uint32_t>(pick(3)),
            .communicator = pick(50) == 0 ? pick(8) : 0,
            .tag = static_cast<std::uint32_t>(pick(2)),
            .bytes = pick(100)};
  }

  void one(RankBuilder& rank) {
    static const std::vector<const Region*> regions{&main_function, &solve,       &mpi_send,
                                                    &mpi_irecv,     &mpi_wait,    &mpi_barrier,
                                                    &mpi_init,      &mpi_finalize};
    const std::size_t known = pick(80) == 0 ? 9 : requests_;
    switch (pick(12)) {
    case 0:
    case 1:
    case 2:
    case 3:
      stack_.push_back(regions[pick(pick(10) == 0 ? 8 : 6)]);
      return rank.enter(*stack_.back());
    case 4:
    case 5:
    case 6:
      if (stack_.empty())
        return;
      rank.leave(*stack_.back());
      return stack_.pop_back();
    case 7:
      return inside([&] { rank.send(message()); });
    case 8:
      return inside([&] { rank.start_receive(++requests_); });
    case 9:
      return inside([&] { rank.end_receive(message(), known); });
    case 10:
      return inside([&] { rank.collective({.communicator = 0}); });
    default:
      return inside([&] { rank.receive(message()); });
    }
  }

  template <class Event> void inside(Event event) {
    if (!stack_.empty() || pick(50) == 0)
      event();
  }

  std::mt19937 engine_;
  std::vector<const Region*> stack_;
  std::size_t requests_ = 0;
};

void expect_sense(const model::RankTimeline& timeline) {
  std::size_t calls = 0;
  for (std::size_t e = 0; e < timeline.events.size(); ++e) {
    const model::Event& event = timeline.events[e];
    ASSERT_LT(event.operation, timeline.operations.size());
    ASSERT_GE(event.computation, 0);
    const bool completes = timeline.operations[event.operation].action == Action::complete;
    ASSERT_EQ(completes, event.started > 0);
    ASSERT_LE(event.started, e);
    calls += event.ends_call;
  }
  EXPECT_EQ(timeline.work.size(), calls + 1);
  if (!timeline.events.empty()) {
    EXPECT_EQ(timeline.events.back().ends_call, 1U);
  }
}

TEST(rank_builder, makes_sense_of_random_events_or_refuses_them) {
  std::size_t made = 0;
  std::size_t refused = 0;
  for (unsigned seed = 1; seed <= 20000; ++seed) {
    RankBuilder rank = builder();
    try {
      RandomEvents(seed).feed(rank);
      expect_sense(rank.finish().timeline);
      ++made;
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(made, 500U);
  EXPECT_GT(refused, 500U);
}

} // namespace
} // namespace hypermile::trace
