#include "runtime/exchange/tree_exchange.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
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

[[noreturn]] void refuse(int from, const std::string& why) {
  throw Error(ErrorKind::hardware,
              fmt::format("a message of rank {} cannot be read: {}", from, why),
              "the same version of hypermile on all nodes");
}

/// Throws Error{hardware} that names the sender.
AggregatedMessage read(const control::Exchange::Message& message, std::size_t ranks) {
  if (message.lost)
    throw Error(ErrorKind::hardware,
                fmt::format("there was no memory for a message of rank {}", message.from));
  if (message.bytes.front() != message_version)
    throw Error(ErrorKind::hardware,
                fmt::format("rank {} runs another version of hypermile", message.from),
                "the same version on all nodes");
  try {
    return unpack(message.bytes, static_cast<int>(ranks));
  } catch (const Error& error) {
    refuse(message.from, error.what());
  }
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
  AggregatedMessage message{.kind = AggregatedMessage::Kind::at_once, .entries = {}};
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

std::optional<TreeExchange::Message> TreeExchange::poll() {
  if (!lost_.empty()) {
    const Reason reason = std::exchange(lost_, {});
    throw Error(ErrorKind::hardware, reason.text());
  }
  flush();
  receive_all();
  if (inbox_.empty())
    return std::nullopt;
  Message message = std::move(inbox_.front());
  inbox_.pop_front();
  return message;
}

/// All that is there first: the more, the fewer messages it makes.
void TreeExchange::receive_all() {
  while (auto message = neighbours_->poll())
    take(std::move(*message));
  if (!is_root())
    pass_up();
}

void TreeExchange::arrive() {
  wait_for_children(1);
  if (!is_root()) {
    end_up();
    while (!all_arrived_)
      receive_one();
  }
  for (const Child& child : children_)
    neighbours_->send_empty(child.rank);
}

void TreeExchange::close() {
  wait_for_children(2);
  if (!is_root())
    end_up();
}

void TreeExchange::wait_for_children(std::size_t ends) {
  while (std::ranges::any_of(children_, [ends](const Child& c) { return c.ends < ends; }))
    receive_one();
}

/// Whatever the message says, the next one is waited for.
void TreeExchange::receive_one() {
  auto message = neighbours_->wait();
  try {
    take(std::move(message));
    if (!is_root())
      pass_up();
  } catch (const std::exception& error) {
    lost_.set(reason_of(error));
  }
}

/// No rank below sends anything more before all ranks have arrived, or ever.
void TreeExchange::end_up() {
  try {
    if (!up_.empty())
      neighbours_->send(place_.parent, pack(up_.take()));
  } catch (const std::exception& error) {
    lost_.set(reason_of(error));
  }
  neighbours_->send_empty(place_.parent);
}

void TreeExchange::take(control::Exchange::Message message) {
  const bool from_above = !is_root() && message.from == place_.parent;
  const auto child = std::ranges::find(children_, message.from, &Child::rank);
  if (!from_above && child == children_.end())
    refuse(message.from, "it is no neighbour");
  if (!message.lost && message.bytes.empty()) {
    if (from_above)
      all_arrived_ = true;
    else
      ++child->ends;
    return;
  }
  AggregatedMessage contents = read(message, place_.route.size());
  if (from_above)
    take_from_above(std::move(contents));
  else
    take_from_below(*child, std::move(contents));
}

void TreeExchange::take_from_above(AggregatedMessage message) {
  for (auto& [ranks, bytes] : message.entries)
    for (const int rank : ranks) {
      const int towards = place_.route[static_cast<std::size_t>(rank)];
      if (towards < 0)
        refuse(place_.parent, "it is to another rank");
      if (towards == place_.rank)
        inbox_.push_back({0, bytes});
      else
        child_towards(rank).down.add(rank, bytes);
    }
  pass_down();
}

void TreeExchange::take_from_below(Child& child, AggregatedMessage message) {
  child.rounds += message.kind == AggregatedMessage::Kind::round ? 1 : 0;
  for (const auto& [ranks, bytes] : message.entries)
    for (const int rank : ranks)
      if (place_.route[static_cast<std::size_t>(rank)] != child.rank)
        refuse(child.rank, "it is of another rank");
  if (!is_root() && message.kind == AggregatedMessage::Kind::at_once)
    return neighbours_->send(place_.parent, pack(message));
  for (auto& [ranks, bytes] : message.entries)
    for (const int rank : ranks) {
      if (is_root())
        inbox_.push_back({rank, bytes});
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
  if (complete_round())
    neighbours_->send(place_.parent, pack(up_.take(AggregatedMessage::Kind::round)));
}

} // namespace hypermile::runtime
