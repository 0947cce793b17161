#include "runtime/exchange/tree_exchange.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <unordered_set>
#include <utility>

namespace hypermile::runtime {
namespace {

/// By rank: the parent; -1 for rank 0.
std::vector<int> parents(std::span<const std::size_t> node_of_rank, std::size_t fan_out) {
  std::unordered_map<std::size_t, std::size_t> leader_of_node; // its index among the leaders
  std::vector<int> leaders;
  std::vector<int> parents;
  for (const std::size_t node : node_of_rank) {
    const auto rank = static_cast<int>(parents.size());
    const auto [at, is_leader] = leader_of_node.emplace(node, leaders.size());
    if (is_leader) {
      parents.push_back(leaders.empty() ? -1 : leaders[(leaders.size() - 1) / fan_out]);
      leaders.push_back(rank);
    } else {
      parents.push_back(leaders[at->second]);
    }
  }
  return parents;
}

[[noreturn]] void refuse(int from) {
  throw Error(ErrorKind::hardware,
              fmt::format("messages from rank {} cannot be read: they are not of its ranks", from),
              "the same version of hypermile on all nodes");
}

} // namespace

TreePlace place_in_tree(int rank, std::span<const std::size_t> node_of_rank, std::size_t fan_out) {
  const auto parent_of = parents(node_of_rank, fan_out);
  TreePlace place{.rank = rank,
                  .parent = parent_of[static_cast<std::size_t>(rank)],
                  .children = {},
                  .route = std::vector<int>(parent_of.size(), -1)};
  // A parent comes before its children, so that its route is known.
  for (std::size_t r = static_cast<std::size_t>(rank); r < parent_of.size(); ++r) {
    const auto other = static_cast<int>(r);
    if (other == rank)
      place.route[r] = rank;
    else if (parent_of[r] == rank)
      place.children.push_back(place.route[r] = other);
    else if (parent_of[r] > rank)
      place.route[r] = place.route[static_cast<std::size_t>(parent_of[r])];
  }
  return place;
}

TreeExchange::TreeExchange(TreePlace place, std::unique_ptr<control::Exchange> neighbours)
    : place_(std::move(place)), neighbours_(std::move(neighbours)) {
  for (const int child : place_.children)
    children_.push_back({.rank = child});
}

TreeExchange::Child& TreeExchange::child_towards(int rank) {
  return *std::ranges::lower_bound(children_, place_.route[static_cast<std::size_t>(rank)], {},
                                   &Child::rank);
}

void TreeExchange::check(int to) const {
  const bool exists = to >= 0 && static_cast<std::size_t>(to) < place_.route.size();
  if (!exists || is_root() == (to == 0))
    throw std::logic_error(fmt::format("rank {} has nothing to tell rank {}", place_.rank, to));
}

void TreeExchange::send(int to, Bytes bytes) {
  check(to);
  if (is_root())
    child_towards(to).down.add(to, std::move(bytes));
  else
    up_.add(place_.rank, std::move(bytes));
  sent_ = true;
}

void TreeExchange::send_now(int to, Bytes bytes) {
  check(to);
  AggregatedMessage message;
  message.entries.push_back({{is_root() ? to : place_.rank}, std::move(bytes)});
  neighbours_->send(is_root() ? child_towards(to).rank : place_.parent, pack(message));
}

void TreeExchange::flush() {
  if (!std::exchange(sent_, false))
    return;
  if (is_root())
    return pass_down();
  ++rounds_;
  pass_up();
}

std::optional<control::Exchange::Message> TreeExchange::poll() {
  flush();
  receive_all();
  return next();
}

control::Exchange::Message TreeExchange::wait() {
  if (is_root())
    flush();
  ending_ = true;
  for (;;) {
    receive_all();
    if (auto message = next())
      return std::move(*message);
    take(neighbours_->wait());
  }
}

void TreeExchange::close() {
  if (is_root())
    return flush();
  receive_all();
  while (!std::ranges::all_of(children_, &Child::closed))
    take(neighbours_->wait());
  neighbours_->send(place_.parent, pack(up_.take(AggregatedMessage::closed)));
}

std::optional<control::Exchange::Message> TreeExchange::next() {
  if (arrived_.empty())
    return std::nullopt;
  Message message = std::move(arrived_.front());
  arrived_.pop_front();
  return message;
}

/// All that is there first: the more, the fewer messages it makes.
void TreeExchange::receive_all() {
  while (auto message = neighbours_->poll())
    take(std::move(*message));
  if (!is_root())
    pass_up();
}

void TreeExchange::take(Message message) {
  AggregatedMessage contents = unpack(message.bytes, static_cast<int>(place_.route.size()));
  if (!is_root() && message.from == place_.parent)
    return take_from_above(std::move(contents));
  const auto child = std::ranges::find(children_, message.from, &Child::rank);
  if (child == children_.end())
    refuse(message.from);
  take_from_below(*child, std::move(contents));
}

void TreeExchange::take_from_above(AggregatedMessage message) {
  for (auto& [ranks, bytes] : message.entries)
    for (const int rank : ranks) {
      const int towards = place_.route[static_cast<std::size_t>(rank)];
      if (towards < 0)
        refuse(place_.parent);
      if (towards == place_.rank)
        arrived_.push_back({0, bytes});
      else
        child_towards(rank).down.add(rank, bytes);
    }
  pass_down();
}

void TreeExchange::take_from_below(Child& child, AggregatedMessage message) {
  child.rounds += (message.marks & AggregatedMessage::round) != 0 ? 1 : 0;
  child.ending = child.ending || (message.marks & AggregatedMessage::ending) != 0;
  child.closed = child.closed || (message.marks & AggregatedMessage::closed) != 0;
  for (const auto& [ranks, bytes] : message.entries)
    for (const int rank : ranks)
      if (place_.route[static_cast<std::size_t>(rank)] != child.rank)
        refuse(child.rank);
  if (!is_root() && message.marks == 0) // sent with send_now()
    return neighbours_->send(place_.parent, pack(message));
  for (auto& [ranks, bytes] : message.entries)
    for (const int rank : ranks) {
      if (is_root())
        arrived_.push_back({rank, bytes});
      else
        up_.add(rank, bytes);
    }
}

void TreeExchange::pass_down() {
  for (Child& child : children_)
    if (!child.down.empty())
      neighbours_->send(child.rank, pack(child.down.take()));
}

bool TreeExchange::complete_round() {
  if (rounds_ == 0 || std::ranges::any_of(children_, [](auto& c) { return c.rounds == 0; }))
    return false;
  --rounds_;
  for (Child& child : children_)
    --child.rounds;
  return true;
}

void TreeExchange::pass_up() {
  if (all_ending_)
    return; // what comes now waits for close()
  std::uint8_t marks = complete_round() ? AggregatedMessage::round : 0;
  all_ending_ = ending_ && std::ranges::all_of(children_, &Child::ending);
  marks = static_cast<std::uint8_t>(marks | (all_ending_ ? AggregatedMessage::ending : 0));
  if (marks != 0)
    neighbours_->send(place_.parent, pack(up_.take(marks)));
}

} // namespace hypermile::runtime
