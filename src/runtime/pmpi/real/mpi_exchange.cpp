#include "runtime/pmpi/real/mpi_exchange.hpp"

#include "runtime/pmpi/library.hpp"

namespace hypermile::runtime::pmpi {
namespace {

constexpr int tag = 0;

control::Exchange::Message receive(MPI_Message message, const MPI_Status& status) {
  int length = 0;
  PMPI_Get_count(&status, MPI_BYTE, &length);
  control::Exchange::Bytes bytes(static_cast<std::size_t>(length));
  library.Mrecv(bytes.data(), length, MPI_BYTE, &message, MPI_STATUS_IGNORE);
  return {status.MPI_SOURCE, std::move(bytes)};
}

} // namespace

MpiExchange::~MpiExchange() {
  for (Sending& sending : sending_)
    library.Wait(&sending.request, MPI_STATUS_IGNORE);
}

void MpiExchange::send(int to, Bytes bytes) {
  forget_sent();
  Sending& sending = sending_.emplace_back(Sending{std::move(bytes), MPI_REQUEST_NULL});
  library.Isend(sending.bytes.data(), static_cast<int>(sending.bytes.size()), MPI_BYTE, to, tag,
                communicator_, &sending.request);
}

void MpiExchange::forget_sent() {
  while (!sending_.empty()) {
    int done = 0;
    library.Test(&sending_.front().request, &done, MPI_STATUS_IGNORE);
    if (done == 0)
      return;
    sending_.pop_front();
  }
}

std::optional<control::Exchange::Message> MpiExchange::poll() {
  int there = 0;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  library.Improbe(MPI_ANY_SOURCE, tag, communicator_, &there, &message, &status);
  return there == 0 ? std::nullopt : std::optional(receive(message, status));
}

control::Exchange::Message MpiExchange::wait() {
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  library.Mprobe(MPI_ANY_SOURCE, tag, communicator_, &message, &status);
  return receive(message, status);
}

} // namespace hypermile::runtime::pmpi
