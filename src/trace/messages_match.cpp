#include "trace/messages_match.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <map>
#include <tuple>
#include <vector>

namespace hypermile::trace {
namespace {

/// Communicator, sender, receiver, tag.
using Channel = std::tuple<std::uint64_t, std::int32_t, std::int32_t, std::int32_t>;

struct Traffic {
  std::vector<std::uint64_t> sent; ///< bytes of the messages, in their order
  std::vector<std::uint64_t> received;
};

std::string shown(const Channel& channel) {
  return fmt::format("from rank {} to rank {} with tag {}", std::get<1>(channel),
                     std::get<2>(channel), std::get<3>(channel));
}

void check_channel(const Channel& channel, const Traffic& traffic) {
  constexpr const char* advice = "a trace of all ranks, from MPI_Init to MPI_Finalize";
  if (traffic.sent.size() != traffic.received.size())
    throw Error(ErrorKind::config,
                fmt::format("messages {}: {} are sent and {} received", shown(channel),
                            traffic.sent.size(), traffic.received.size()),
                advice);
  for (std::size_t i = 0; i < traffic.sent.size(); ++i)
    if (traffic.sent[i] != traffic.received[i])
      throw Error(ErrorKind::config,
                  fmt::format("message {} {} has {} bytes where it is sent, and {} where it is "
                              "received",
                              i + 1, shown(channel), traffic.sent[i], traffic.received[i]),
                  advice);
}

} // namespace

void check_messages(const model::Timeline& timeline) {
  std::map<Channel, Traffic> channels;
  for (std::size_t r = 0; r < timeline.ranks.size(); ++r) {
    const model::RankTimeline& rank = timeline.ranks[r];
    const auto self = static_cast<std::int32_t>(r);
    for (const model::Event& event : rank.events) {
      const model::Operation& operation = rank.operations[event.operation];
      if (operation.action == model::Action::send)
        channels[{operation.communicator, self, operation.partner, operation.tag}].sent.push_back(
            operation.bytes);
      if (operation.action == model::Action::receive)
        channels[{operation.communicator, operation.partner, self, operation.tag}]
            .received.push_back(operation.bytes);
    }
  }
  for (const auto& [channel, traffic] : channels)
    check_channel(channel, traffic);
}

} // namespace hypermile::trace
