#pragma once

#include "trace/incoming.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hypermile::trace {

/// Puts the ranks of a trace together: finds for each collective operation who takes part and with
/// what, which call makes which communicator, and gives communicators the numbers of a recording.
/// Throws Error{config} where ranks do not fit together: a message that is sent and not received, a
/// collective operation that some members do not join, or join with another operation or root.
///
/// `functions`: as Timeline::functions; of those that make a communicator, Comm_create_group must
/// be among them where a communicator is used that no call makes: then ranks make it at their
/// begin.
[[nodiscard]] model::Timeline assembled(std::vector<IncomingRank> ranks,
                                        const IncomingCommunicators& communicators,
                                        std::vector<std::string> functions);

} // namespace hypermile::trace
