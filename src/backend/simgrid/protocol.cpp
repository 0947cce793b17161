#include "backend/simgrid/protocol.hpp"

#include <xbt/config.hpp>

#include <algorithm>

namespace hypermile::backend::simgrid {

model::dependency::Protocol describe_protocol() {
  const auto bytes = [](const char* key) {
    return static_cast<std::uint64_t>(std::max(0, ::simgrid::config::get_value<int>(key)));
  };
  model::dependency::Protocol protocol;
  protocol.known = true;
  protocol.starts_at_receive = true;
  protocol.eager_below = bytes("smpi/async-small-thresh");
  protocol.synchronous_from = bytes("smpi/send-is-detached-thresh");
  return protocol;
}

} // namespace hypermile::backend::simgrid
