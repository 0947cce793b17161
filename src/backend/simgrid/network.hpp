#pragma once

#include "model/dependency/protocol.hpp"
#include "model/interconnect.hpp"

#include <simgrid/s4u.hpp>

#include <span>
#include <utility>

namespace hypermile::backend::simgrid {

/// Two ranks, the first of which sends to the second.
using RankPair = std::pair<std::size_t, std::size_t>;

/// The network between the ranks as SimGrid's SMPI model simulates it.
/// `hosts`: by rank; `senders`: routes are described where somebody sends, in both directions,
/// and between all of up to 128 hosts, as nobody sees who sends in a collective operation.
/// Throws Error{unsupported} where somebody sends over links whose bandwidth depends on their load
/// or place (Wi-Fi).
model::Interconnect describe_network(std::span<::simgrid::s4u::Host* const> hosts,
                                     std::span<const RankPair> senders);

/// How SMPI moves messages, as it is configured.
model::dependency::Protocol describe_protocol();

} // namespace hypermile::backend::simgrid
