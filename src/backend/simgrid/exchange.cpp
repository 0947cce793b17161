#include "backend/simgrid/exchange.hpp"

#include <fmt/format.h>

namespace hypermile::backend::simgrid {
namespace {

::simgrid::s4u::Mailbox& mailbox(int rank) {
  return *::simgrid::s4u::Mailbox::by_name(fmt::format("hypermile-{}", rank));
}

/// The receiver gets the sender's pointer. SMPI changes the default to a copy of MPI buffers.
::simgrid::s4u::CommPtr by_pointer(const ::simgrid::s4u::CommPtr& comm) {
  return comm->set_copy_data_callback(&::simgrid::s4u::Comm::copy_pointer_callback);
}

} // namespace

MailboxExchange::MailboxExchange(int rank) : rank_(rank), inbox_(mailbox(rank)) {
  // With a receiver declared, a message travels at once and not when it is asked for.
  inbox_.set_receiver(::simgrid::s4u::Actor::self());
}

MailboxExchange::~MailboxExchange() {
  for (const auto& comm : sending_)
    comm->wait();
}

void MailboxExchange::send(int to, Bytes bytes) {
  const std::size_t size = bytes.size();
  auto message = std::make_unique<Message>(Message{rank_, std::move(bytes)});
  sending_.push_back(by_pointer(mailbox(to).put_init(message.release(), size))->start());
}

control::Exchange::Message MailboxExchange::wait() {
  Message* message = nullptr;
  by_pointer(inbox_.get_init()->set_dst_data(reinterpret_cast<void**>(&message), sizeof(void*)))
      ->wait();
  return std::move(*std::unique_ptr<Message>(message));
}

std::optional<control::Exchange::Message> MailboxExchange::poll() {
  if (!inbox_.ready())
    return std::nullopt;
  return wait();
}

} // namespace hypermile::backend::simgrid
