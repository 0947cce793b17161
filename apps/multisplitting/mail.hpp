#pragma once

#include "multisplitting/disturbance.hpp"

#include <mpi.h>

#include <cstddef>
#include <deque>
#include <functional>
#include <span>
#include <vector>

namespace apps::multisplitting {

/// Messages to and from some ranks, for none of which anybody waits. Of each sender one message is
/// under way at a time: the next one leaves when the receiver's MPI has it. That takes some between
/// two looks, and no more. So nobody is flooded by a faster one.
class Mail {
public:
  struct Correspondent {
    int rank;
    int tag;          ///< the same on both sides
    std::size_t size; ///< of the longest message
  };
  using Message = std::vector<double>; ///< never empty
  using Take = std::function<void(std::size_t from, std::span<const double> message)>;

  /// `from` and `to` below are indices of `correspondents`.
  Mail(MPI_Comm comm, std::vector<Correspondent> correspondents, Disturbance disturbance);
  Mail(const Mail&) = delete;
  Mail& operator=(const Mail&) = delete;

  [[nodiscard]] std::size_t size() const { return correspondents_.size(); }
  /// Whether a message would not leave at once.
  [[nodiscard]] bool is_busy(std::size_t to) const;
  /// Sends it after those before.
  void post(std::size_t to, Message message);
  /// Gives what has arrived to `take`, by sender in the order sent, and sends what had to wait.
  void look(const Take& take);
  /// Ends the traffic: sends what is left, and takes no more. All correspondents call it.
  void close();

private:
  /// How many messages of a sender are received between two looks, at most.
  static constexpr std::size_t places = 4;

  struct Arrival {
    Message buffer;
    std::size_t size = 0;
    int delay = 0;
    bool has_arrived = false; ///< and was not taken
  };

  /// `place`: of all senders, those of each one together.
  void expect(std::size_t place);
  void send_next(std::size_t to);
  void completed(std::size_t index, const MPI_Status& status);
  /// The place of the next message of a sender, which is the oldest one.
  [[nodiscard]] Arrival& oldest(std::size_t from) {
    return arrivals_[from * places + oldest_[from]];
  }
  void deliver(std::size_t from, const Take& take);

  MPI_Comm comm_;
  std::vector<Correspondent> correspondents_;
  Disturbance disturbance_;
  std::vector<MPI_Request> requests_;           ///< receives, then sends
  std::vector<Arrival> arrivals_;               ///< by place
  std::vector<std::size_t> oldest_;             ///< by sender, which of its places
  std::vector<std::deque<Message>> departures_; ///< the first is under way
};

} // namespace apps::multisplitting
