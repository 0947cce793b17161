#pragma once

#include "control/ports.hpp"

#include <mpi.h>

#include <deque>

namespace hypermile::runtime::pmpi {

/// Messages through the MPI of the program, on a communicator of hypermile's own.
class MpiExchange final : public control::Exchange {
public:
  /// `communicator`: nobody else uses it; it must outlive this object.
  explicit MpiExchange(MPI_Comm communicator) : communicator_(communicator) {}
  /// Waits for the own messages that are still under way.
  ~MpiExchange() override;
  MpiExchange(const MpiExchange&) = delete;
  MpiExchange& operator=(const MpiExchange&) = delete;

  void send(int to, Bytes bytes) override;
  void send_empty(int to) override;
  std::optional<Message> poll() override;
  Message wait() override;

private:
  struct Sending {
    Bytes bytes;
    MPI_Request request;
  };
  void forget_sent();

  MPI_Comm communicator_;
  std::deque<Sending> sending_; ///< a request points into its entry, which must not move
};

} // namespace hypermile::runtime::pmpi
