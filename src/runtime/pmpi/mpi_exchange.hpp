#pragma once

#include "runtime/exchange.hpp"

#include <mpi.h>

#include <list>
#include <vector>

namespace hypermile::runtime::pmpi {

/// Exchange over MPI, on a communicator of its own so that the program cannot see it.
class MpiExchange final : public Exchange {
public:
  /// Collective over MPI_COMM_WORLD.
  MpiExchange();
  /// Before MPI_Finalize, when every message that was sent has been received.
  ~MpiExchange() override;
  MpiExchange(const MpiExchange&) = delete;
  MpiExchange& operator=(const MpiExchange&) = delete;

  void send(int to, Bytes bytes) override;
  std::optional<Message> poll() override;
  Message wait_from(int rank) override;

private:
  struct Sending {
    Bytes bytes;
    MPI_Request request;
  };
  struct Slot {
    Bytes buffer;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  void post(std::size_t slot);
  Message take(std::size_t slot, const MPI_Status& status);
  [[nodiscard]] int peer(std::size_t slot) const;

  MPI_Comm communicator_ = MPI_COMM_NULL;
  int rank_ = 0;
  std::list<Sending> sending_; ///< stays put: MPI holds pointers into it
  /// One per rank that may send to this one. A receive is posted when a message is first asked
  /// for and not before, so that none is left when the program ends.
  std::vector<Slot> slots_;
};

} // namespace hypermile::runtime::pmpi
