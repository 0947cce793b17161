#pragma once

#include "control/ports.hpp"

#include <simgrid/s4u.hpp>

#include <deque>
#include <memory>

namespace hypermile::backend::simgrid {

/// Messages between simulated ranks. They take the time that the simulated network needs, but
/// looking for one takes none: SMPI lets a failed MPI_Test last 0.1 ms and more.
class MailboxExchange final : public control::Exchange {
public:
  explicit MailboxExchange(int rank);
  /// Waits for the own messages that are still under way.
  ~MailboxExchange() override;
  MailboxExchange(const MailboxExchange&) = delete;
  MailboxExchange& operator=(const MailboxExchange&) = delete;

  void send(int to, Bytes bytes) override;
  void send_empty(int to) override { send(to, {}); }
  std::optional<Message> poll() override;
  Message wait() override;

private:
  int rank_;
  ::simgrid::s4u::Mailbox& inbox_;
  std::deque<::simgrid::s4u::CommPtr> sending_;
};

} // namespace hypermile::backend::simgrid
