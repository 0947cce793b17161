#include "runtime/pmpi/mpi_exchange.hpp"

namespace hypermile::runtime::pmpi {
namespace {

constexpr std::size_t longest_message = std::size_t{1} << 16;
constexpr int tag = 1;

} // namespace

MpiExchange::MpiExchange() {
  PMPI_Comm_dup(MPI_COMM_WORLD, &communicator_);
  PMPI_Comm_rank(communicator_, &rank_);
  int size = 0;
  PMPI_Comm_size(communicator_, &size);
  slots_.resize(rank_ == 0 ? static_cast<std::size_t>(size - 1) : 1);
}

MpiExchange::~MpiExchange() {
  for (Sending& sending : sending_)
    PMPI_Wait(&sending.request, MPI_STATUS_IGNORE);
  PMPI_Comm_free(&communicator_);
}

int MpiExchange::peer(std::size_t slot) const {
  return rank_ == 0 ? static_cast<int>(slot) + 1 : 0;
}

void MpiExchange::send(int to, Bytes bytes) {
  Sending& sending = sending_.emplace_back(Sending{std::move(bytes), MPI_REQUEST_NULL});
  PMPI_Isend(sending.bytes.data(), static_cast<int>(sending.bytes.size()), MPI_BYTE, to, tag,
             communicator_, &sending.request);
}

void MpiExchange::post(std::size_t slot) {
  Slot& s = slots_[slot];
  if (s.request != MPI_REQUEST_NULL)
    return;
  s.buffer.resize(longest_message);
  PMPI_Irecv(s.buffer.data(), static_cast<int>(longest_message), MPI_BYTE, peer(slot), tag,
             communicator_, &s.request);
}

std::optional<Exchange::Message> MpiExchange::poll() {
  std::vector<MPI_Request> requests;
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    post(slot);
    requests.push_back(slots_[slot].request);
  }
  int index = MPI_UNDEFINED;
  int arrived = 0;
  MPI_Status status;
  PMPI_Testany(static_cast<int>(requests.size()), requests.data(), &index, &arrived, &status);
  if (arrived == 0 || index == MPI_UNDEFINED)
    return std::nullopt;
  return take(static_cast<std::size_t>(index), status);
}

Exchange::Message MpiExchange::wait_from(int rank) {
  const auto slot = static_cast<std::size_t>(rank_ == 0 ? rank - 1 : 0);
  post(slot);
  MPI_Status status;
  PMPI_Wait(&slots_[slot].request, &status);
  return take(slot, status);
}

Exchange::Message MpiExchange::take(std::size_t slot, const MPI_Status& status) {
  Slot& s = slots_[slot];
  s.request = MPI_REQUEST_NULL;
  int length = 0;
  PMPI_Get_count(&status, MPI_BYTE, &length);
  s.buffer.resize(static_cast<std::size_t>(length));
  return {peer(slot), std::move(s.buffer)};
}

} // namespace hypermile::runtime::pmpi
