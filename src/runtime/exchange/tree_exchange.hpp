#pragma once

#include "control/ports.hpp"
#include "runtime/exchange/aggregated_message.hpp"
#include "runtime/reason.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace hypermile::runtime {

/// Where a rank stands in the tree in which ranks' messages travel.
struct TreePlace {
  int rank = 0;
  int parent = -1;           ///< -1: it is rank 0
  std::vector<int> children; ///< ascending
  /// By rank: the child through which it is reached; the rank itself for its own number; -1 for
  /// those that are not below it.
  std::vector<int> route;
};

/// The place of `rank`: ranks of a node are children of its first one, the leader; the leaders are
/// a tree with rank 0 at its root and at most `fan_out` leaders below each. `node_of_rank`: by
/// rank, any numbers that tell nodes apart.
TreePlace place_in_tree(int rank, std::span<const std::size_t> node_of_rank,
                        std::size_t fan_out = 16);

/// Messages between rank 0 and every other rank. Ranks exchange messages with their neighbours in a
/// tree only, so that rank 0, and the leader of a node, have few to deal with.
///
/// Upwards, the messages of a subtree travel as one: once each of its ranks has sent one since the
/// last time, or has ended. Downwards, what rank 0 sent before flush() is one message per child, in
/// which the same message to many ranks is there once.
///
/// A rank passes on what others send through it whenever it polls, and until close() returns. It
/// need not poll while it has sent nothing itself: the others' messages go with its own. Only those
/// of send_now() are then held up until it does.
///
/// The end of the program does not depend on what messages say, nor on memory: a message may be
/// lost, be cut off or come from another version of hypermile. Every rank sends its parent a
/// message without bytes when all ranks below it have arrived, and another one when these have
/// closed; and its children one when all ranks of the program have arrived. In every version of
/// hypermile.
class TreeExchange {
public:
  using Bytes = control::Exchange::Bytes;
  struct Message {
    int from;
    Bytes bytes;
  };

  /// `neighbours`: exchanges messages with the parent and the children.
  TreeExchange(TreePlace place, std::unique_ptr<control::Exchange> neighbours);

  /// Returns at once. Rank 0 sends to any other rank, the others to rank 0: throws std::logic_error
  /// for other messages. The message is kept until flush(), and may be held up on its way to travel
  /// with those of other ranks. Messages of one rank to another arrive in order, but for those of
  /// send_now().
  void send(int to, Bytes bytes);
  /// As send(), for what other ranks need not have anything to say to: it is not held up.
  void send_now(int to, Bytes bytes);
  /// What was sent may go on its way. Returns at once.
  void flush();
  /// A message that has arrived, if there is one. Returns at once. Throws Error{hardware} once for
  /// a message that no TreeExchange sends, and passes over it; also for one that came in arrive()
  /// or close().
  std::optional<Message> poll();
  /// The rank has reached the end of the program. Returns when all ranks have. A message that
  /// cannot be read or passed on is lost.
  void arrive();
  /// After arrive(): the rank sends nothing more. Returns when all that other ranks send through
  /// this one has been passed on; on rank 0, when all of it has come.
  void close();

private:
  struct Child {
    int rank;
    MessageBuffer down{};
    std::size_t rounds = 0;
    std::size_t ends = 0; ///< messages without bytes: 1 all below have arrived, 2 have closed
  };
  [[nodiscard]] bool is_root() const { return place_.parent < 0; }
  Child& child_towards(int rank);
  void check(int to) const;
  void receive_all();
  void receive_one();
  void wait_for_children(std::size_t ends);
  void take(control::Exchange::Message message);
  void take_from_above(AggregatedMessage message);
  void take_from_below(Child& child, AggregatedMessage message);
  void pass_down();
  void pass_up();
  void end_up();
  [[nodiscard]] bool complete_round();

  TreePlace place_;
  std::unique_ptr<control::Exchange> neighbours_;
  std::vector<Child> children_;
  MessageBuffer up_;
  bool sent_ = false;        ///< something since the last flush()
  std::size_t rounds_ = 0;   ///< of the rank itself that have not travelled yet
  bool all_arrived_ = false; ///< as the parent says
  std::deque<Message> inbox_;
  Reason lost_; ///< why a message was, in arrive() or close()
};

} // namespace hypermile::runtime
