#pragma once

#include "model/dependency/protocol.hpp"
#include "model/interconnect.hpp"

#include <string>
#include <string_view>

namespace hypermile::io {

/// What a library's configuration says of the messages of a program: how they travel, and where.
struct NetworkDescription {
  model::Interconnect interconnect;
  model::dependency::Protocol protocol;
};

/// As JSON, schema `hypermile/network/1`, which docs/simulation.md describes.
std::string print_network(const NetworkDescription& network);

/// Reads what print_network() writes. `file` is used in messages only. Throws Error{config} with
/// file and key for anything else, also for a route over a link that does not exist.
NetworkDescription parse_network(std::string_view text, const std::string& file);

} // namespace hypermile::io
