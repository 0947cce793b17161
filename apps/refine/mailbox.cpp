#include "refine/mailbox.hpp"

namespace apps::refine {

Mailbox::Mailbox(MPI_Comm comm) : comm_(comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  rank_ = static_cast<std::size_t>(rank);
}

void Mailbox::Message::add(std::size_t index, std::size_t count) {
  parcels.push_back({index, values.size(), count});
  values.resize(values.size() + count);
}

void Mailbox::Message::pack(const Pack& pack) {
  for (const auto& [index, begin, count] : parcels)
    pack(index, std::span(values).subspan(begin, count));
}

void Mailbox::Message::unpack(const Unpack& unpack) const {
  for (const auto& [index, begin, count] : parcels)
    unpack(index, std::span(values).subspan(begin, count));
}

void Mailbox::add(std::size_t index, std::size_t count, std::size_t from, std::size_t to) {
  if (from == rank_ && to == rank_)
    kept_.add(index, count);
  else if (from == rank_)
    sent_[to].add(index, count);
  else if (to == rank_)
    received_[from].add(index, count);
}

void Mailbox::deliver(const Pack& pack, const Unpack& unpack) {
  constexpr int tag = 1;
  std::vector<MPI_Request> receives;
  std::vector<const Message*> messages;
  for (auto& [from, message] : received_) {
    messages.push_back(&message);
    MPI_Irecv(message.values.data(), static_cast<int>(message.values.size()), MPI_DOUBLE,
              static_cast<int>(from), tag, comm_, &receives.emplace_back());
  }
  std::vector<MPI_Request> sends;
  for (auto& [to, message] : sent_) {
    message.pack(pack);
    MPI_Isend(message.values.data(), static_cast<int>(message.values.size()), MPI_DOUBLE,
              static_cast<int>(to), tag, comm_, &sends.emplace_back());
  }
  kept_.pack(pack);
  kept_.unpack(unpack);
  for (std::size_t i = 0; i < receives.size(); ++i) {
    int arrived = 0;
    MPI_Waitany(static_cast<int>(receives.size()), receives.data(), &arrived, MPI_STATUS_IGNORE);
    messages[static_cast<std::size_t>(arrived)]->unpack(unpack);
  }
  MPI_Waitall(static_cast<int>(sends.size()), sends.data(), MPI_STATUSES_IGNORE);
}

} // namespace apps::refine
