#pragma once

#include "control/ports.hpp"
#include "runtime/exchange/aggregated_message.hpp"

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

/// An Exchange in which ranks exchange messages with their neighbours in a tree only, so that rank
/// 0, and the leader of a node, have few to deal with.
///
/// Upwards, the messages of a subtree travel as one: once each of its ranks has sent one since the
/// last time, or waits at the end of the program. Downwards, what rank 0 sent before flush() is
/// one message per child, in which the same message to many ranks is there once.
///
/// A rank passes on what others send through it whenever it polls or waits, and until close()
/// returns. It need not poll while it has sent nothing itself: the others' messages go with its
/// own. Only those of send_now() are then held up until it does.
class TreeExchange final : public control::Exchange {
public:
  /// `neighbours`: exchanges messages with the parent and the children.
  TreeExchange(TreePlace place, std::unique_ptr<control::Exchange> neighbours);

  /// Throws std::logic_error for a message that is neither from nor to rank 0.
  void send(int to, Bytes bytes) override;
  void send_now(int to, Bytes bytes) override;
  void flush() override;
  /// Throws Error{hardware} for a message that no TreeExchange sends.
  std::optional<Message> poll() override;
  /// Throws as poll().
  Message wait() override;
  /// Throws as poll().
  void close() override;

private:
  struct Child {
    int rank;
    MessageBuffer down{};
    std::size_t rounds = 0;
    bool ending = false;
    bool closed = false;
  };
  [[nodiscard]] bool is_root() const { return place_.parent < 0; }
  Child& child_towards(int rank);
  void check(int to) const;
  void receive_all();
  void take(Message message);
  void take_from_above(AggregatedMessage message);
  void take_from_below(Child& child, AggregatedMessage message);
  void pass_down();
  void pass_up();
  [[nodiscard]] bool complete_round();
  std::optional<Message> next();

  TreePlace place_;
  std::unique_ptr<control::Exchange> neighbours_;
  std::vector<Child> children_;
  MessageBuffer up_;
  bool sent_ = false;       ///< something since the last flush()
  std::size_t rounds_ = 0;  ///< of the rank itself that have not travelled yet
  bool ending_ = false;     ///< the rank waits at the end of the program
  bool all_ending_ = false; ///< and so do all below it
  std::deque<Message> arrived_;
};

} // namespace hypermile::runtime
