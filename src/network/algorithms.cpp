#include "network/algorithms.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace hypermile::network {
namespace {

/// Puts messages into the rounds of their two members.
class Builder {
public:
  explicit Builder(const Contribution& contribution)
      : members_(static_cast<std::uint32_t>(contribution.bytes.size())), begins_(members_, 0) {
    exchange_.rounds.resize(members_);
  }

  [[nodiscard]] std::uint32_t members() const { return members_; }

  /// Rounds count from the phase's begin, and may be left out: a member then does nothing there.
  void message(std::uint32_t from, std::size_t from_round, std::uint32_t to, std::size_t to_round,
               std::uint64_t bytes) {
    const auto index = static_cast<std::uint32_t>(exchange_.messages.size());
    exchange_.messages.push_back({from, to, bytes});
    round(from, from_round).sends.push_back(index);
    round(to, to_round).receives.push_back(index);
  }

  /// Each member then begins with what comes when it has done all that was before.
  void next_phase() {
    for (std::uint32_t m = 0; m < members_; ++m)
      begins_[m] = exchange_.rounds[m].size();
  }

  Exchange done() { return std::move(exchange_); }

private:
  Exchange::Round& round(std::uint32_t member, std::size_t number) {
    auto& rounds = exchange_.rounds[member];
    rounds.resize(std::max(rounds.size(), begins_[member] + number + 1));
    return rounds[begins_[member] + number];
  }

  std::uint32_t members_;
  std::vector<std::size_t> begins_; ///< by member: the phase's first round
  Exchange exchange_;
};

/// Each has something of its own for each of the others.
std::uint64_t share(const Contribution& c, std::uint32_t member) {
  return c.bytes[member] / c.bytes.size();
}

/// All at once.
Exchange all_to_all_linear(const Contribution& c) {
  Builder builder(c);
  for (std::uint32_t from = 0; from < builder.members(); ++from)
    for (std::uint32_t step = 1; step < builder.members(); ++step)
      builder.message(from, 0, (from + step) % builder.members(), 0, share(c, from));
  return builder.done();
}

/// In step i to the i-th member behind and from the i-th before.
Exchange all_to_all_shifts(const Contribution& c) {
  Builder builder(c);
  for (std::uint32_t step = 1; step < builder.members(); ++step)
    for (std::uint32_t from = 0; from < builder.members(); ++from)
      builder.message(from, step - 1, (from + step) % builder.members(), step - 1, share(c, from));
  return builder.done();
}

/// In step i with the member whose number differs in the bits of i.
Exchange all_to_all_pairs(const Contribution& c) {
  Builder builder(c);
  if (!std::has_single_bit(builder.members()))
    return {};
  for (std::uint32_t step = 1; step < builder.members(); ++step)
    for (std::uint32_t from = 0; from < builder.members(); ++from)
      builder.message(from, step - 1, from ^ step, step - 1, share(c, from));
  return builder.done();
}

/// Bruck's: in step k all blocks whose distance has bit k, to the member 2^k behind.
Exchange all_to_all_bruck(const Contribution& c) {
  Builder builder(c);
  std::size_t round = 0;
  for (std::uint32_t distance = 1; distance < builder.members(); distance *= 2, ++round) {
    std::uint64_t blocks = 0;
    for (std::uint32_t block = 1; block < builder.members(); ++block)
      blocks += (block & distance) != 0 ? 1 : 0;
    for (std::uint32_t from = 0; from < builder.members(); ++from)
      builder.message(from, round, (from + distance) % builder.members(), round,
                      blocks * share(c, from));
  }
  return builder.done();
}

Exchange all_gather_linear(const Contribution& c) {
  Builder builder(c);
  for (std::uint32_t from = 0; from < builder.members(); ++from)
    for (std::uint32_t to = 0; to < builder.members(); ++to)
      if (from != to)
        builder.message(from, 0, to, 0, c.bytes[from]);
  return builder.done();
}

/// Blocks go round: each passes on what it got in the step before.
Exchange all_gather_ring(const Contribution& c) {
  Builder builder(c);
  const std::uint32_t n = builder.members();
  for (std::uint32_t step = 0; step + 1 < n; ++step)
    for (std::uint32_t from = 0; from < n; ++from)
      builder.message(from, step, (from + 1) % n, step, c.bytes[(from + n - step) % n]);
  return builder.done();
}

// Phases of operations in which a root takes part. Trees are binomial: the member `v` behind the
// root is a child of the one whose number lacks the lowest bit of v.

std::uint32_t behind(std::uint32_t root, std::uint32_t v, std::uint32_t members) {
  return (root + v) % members;
}

/// Blocks of `bytes` from the root to each.
void send_to_each(Builder& builder, std::uint32_t root, std::uint64_t bytes) {
  for (std::uint32_t to = 0; to < builder.members(); ++to)
    if (to != root)
      builder.message(root, 0, to, 0, bytes);
}

void up_linear(Builder& builder, const Contribution& c) {
  for (std::uint32_t from = 0; from < builder.members(); ++from)
    if (from != c.root)
      builder.message(from, 0, c.root, 0, c.bytes[from]);
}

void down_linear(Builder& builder, const Contribution& c) {
  send_to_each(builder, c.root, c.bytes[c.root]);
}

void scatter_linear(Builder& builder, const Contribution& c) {
  send_to_each(builder, c.root, share(c, c.root));
}

/// Each adds what its children, the nearest first, send to its own.
void up_tree(Builder& builder, const Contribution& c) {
  const std::uint32_t n = builder.members();
  const auto children = [&](std::uint32_t v) {
    std::size_t count = 0;
    for (std::uint32_t bit = 1; (v & bit) == 0 && v + bit < n; bit *= 2)
      ++count;
    return count;
  };
  for (std::uint32_t v = 1; v < n; ++v) {
    const std::uint32_t bit = v & (~v + 1);
    const std::uint32_t from = behind(c.root, v, n);
    builder.message(from, children(v), behind(c.root, v - bit, n),
                    static_cast<std::size_t>(std::countr_zero(bit)), c.bytes[from]);
  }
}

/// Each passes on what it got, to the farthest of its children first.
void down_tree(Builder& builder, const Contribution& c) {
  const std::uint32_t n = builder.members();
  std::uint32_t top = std::bit_ceil(n) / 2;
  for (std::uint32_t v = 0; v < n; ++v) {
    std::size_t round = v == 0 ? 0 : 1; // the first: from its parent
    for (std::uint32_t bit = v == 0 ? top : (v & (~v + 1)) / 2; bit > 0; bit /= 2)
      if (v + bit < n)
        builder.message(behind(c.root, v, n), round++, behind(c.root, v + bit, n), 0,
                        c.bytes[c.root]);
  }
}

/// One phase after the other. The first member is the root of operations that have none.
template <auto... phases> Exchange in_phases(const Contribution& c) {
  Builder builder(c);
  ((phases(builder, c), builder.next_phase()), ...);
  return builder.done();
}

/// Recursive doubling: in step k with the member whose number differs in bit k.
Exchange doubling(const Contribution& c) {
  Builder builder(c);
  if (!std::has_single_bit(builder.members()))
    return {};
  std::size_t round = 0;
  for (std::uint32_t bit = 1; bit < builder.members(); bit *= 2, ++round)
    for (std::uint32_t from = 0; from < builder.members(); ++from)
      builder.message(from, round, from ^ bit, round, c.bytes[from]);
  return builder.done();
}

constexpr std::array all_to_all{
    Algorithm{"linear", all_to_all_linear}, Algorithm{"shifts", all_to_all_shifts},
    Algorithm{"pairs", all_to_all_pairs}, Algorithm{"Bruck", all_to_all_bruck}};
constexpr std::array all_gather{Algorithm{"linear", all_gather_linear},
                                Algorithm{"ring", all_gather_ring}};
constexpr std::array all_reduce{Algorithm{"linear, tree", in_phases<up_linear, down_tree>},
                                Algorithm{"tree, tree", in_phases<up_tree, down_tree>},
                                Algorithm{"linear, linear", in_phases<up_linear, down_linear>},
                                Algorithm{"doubling", doubling}};
constexpr std::array broadcast{Algorithm{"tree", in_phases<down_tree>},
                               Algorithm{"linear", in_phases<down_linear>}};
constexpr std::array reduce{Algorithm{"linear", in_phases<up_linear>},
                            Algorithm{"tree", in_phases<up_tree>}};
constexpr std::array gather{Algorithm{"linear", in_phases<up_linear>}};
constexpr std::array scatter{Algorithm{"linear", in_phases<scatter_linear>}};

} // namespace

std::span<const Algorithm> algorithms_of(std::string_view function) {
  if (function == "Alltoall" || function == "Alltoallv" || function == "Alltoallw")
    return all_to_all;
  if (function == "Allgather" || function == "Allgatherv")
    return all_gather;
  if (function == "Allreduce" || function == "Barrier")
    return all_reduce;
  if (function == "Bcast")
    return broadcast;
  if (function == "Reduce")
    return reduce;
  if (function == "Gather" || function == "Gatherv")
    return gather;
  if (function == "Scatter" || function == "Scatterv")
    return scatter;
  return {};
}

} // namespace hypermile::network
