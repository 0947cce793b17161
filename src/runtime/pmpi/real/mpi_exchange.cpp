#include "runtime/pmpi/real/mpi_exchange.hpp"

#include "runtime/pmpi/library.hpp"
#include "runtime/pmpi/real/completion.hpp"

#include <new>
#include <thread>
#include <utility>

#include <sys/mman.h>

namespace hypermile::runtime::pmpi {
namespace {

constexpr int exchange_tag = 0;

/// Into pages that go at once. Truncated, MPICH would end the job, whatever the communicator's
/// handler of errors.
void discard(MPI_Message message, int length) {
  const auto size = static_cast<std::size_t>(length);
  void* const pages =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const bool has_pages = pages != MAP_FAILED;
  library.Mrecv(has_pages ? pages : nullptr, has_pages ? length : 0, MPI_BYTE, &message,
                MPI_STATUS_IGNORE);
  if (has_pages)
    ::munmap(pages, size);
}

control::Exchange::Message receive(MPI_Message message, const MPI_Status& status) {
  int length = 0;
  PMPI_Get_count(&status, MPI_BYTE, &length);
  control::Exchange::Message received{.from = status.MPI_SOURCE, .bytes = {}};
  try {
    received.bytes.resize(static_cast<std::size_t>(length));
    library.Mrecv(received.bytes.data(), length, MPI_BYTE, &message, MPI_STATUS_IGNORE);
  } catch (const std::bad_alloc&) { // received all the same, or its sender might wait for ever
    received.lost = true;
    discard(message, length);
  }
  return received;
}

} // namespace

MpiExchange::~MpiExchange() {
  for (Sending& sending : sending_)
    complete(sending.request);
}

void MpiExchange::send(int to, Bytes bytes) {
  forget_sent();
  Sending& sending = sending_.emplace_back(Sending{std::move(bytes), MPI_REQUEST_NULL});
  library.Isend(sending.bytes.data(), static_cast<int>(sending.bytes.size()), MPI_BYTE, to,
                exchange_tag, communicator_, &sending.request);
}

void MpiExchange::send_empty(int to) {
  library.Send(nullptr, 0, MPI_BYTE, to, exchange_tag, communicator_);
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
  library.Improbe(MPI_ANY_SOURCE, exchange_tag, communicator_, &there, &message, &status);
  return there == 0 ? std::nullopt : std::optional(receive(message, status));
}

control::Exchange::Message MpiExchange::wait() {
  for (;;) {
    if (auto message = poll())
      return std::move(*message);
    std::this_thread::yield(); // to the rank that is waited for, perhaps
  }
}

} // namespace hypermile::runtime::pmpi
