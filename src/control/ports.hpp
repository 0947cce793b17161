#pragma once

#include "units/quantity.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// The ports through which hypermile touches a machine, real or simulated. Each belongs to one
/// rank of the program and is called by that rank only.
namespace hypermile::control {

class Clock {
public:
  virtual ~Clock() = default;
  /// Since an origin that is the same for all calls of one rank.
  [[nodiscard]] virtual Seconds now() const = 0;
};

/// Sets the gear of the rank's node.
class Actuator {
public:
  virtual ~Actuator() = default;
  [[nodiscard]] virtual std::size_t gear() const = 0;
  /// Throws Error{hardware} if the node does not take the gear.
  virtual void set_gear(std::size_t gear) = 0;
  /// Another rank of the node has been told to set this gear.
  virtual void expect_gear([[maybe_unused]] std::size_t gear) {}
  /// What keeps the machine from running in this gear, as a user reads it; empty: nothing does.
  [[nodiscard]] virtual std::string verify() const { return ""; }
  /// How long the machine may take from a change of gears to their effect, if that is long.
  [[nodiscard]] virtual Seconds settling() const { return {}; }
};

/// Reads the energy that the rank's node has consumed.
class Meter {
public:
  virtual ~Meter() = default;
  /// Since an origin that is the same for all calls; none where nothing can be measured.
  [[nodiscard]] virtual std::optional<Joules> consumed() const = 0;
  /// Why nothing is measured, or not any more, as a user reads it; empty: something is.
  [[nodiscard]] virtual std::string why_not() const { return ""; }
  /// What the node's processors may draw for long, together; none: nobody knows, or what is
  /// measured is more than processors and memory.
  [[nodiscard]] virtual std::optional<Watts> limit() const { return std::nullopt; }
};

/// What a program has done since an origin that is the same for all calls.
struct Done {
  double items = 0;               ///< that it has finished
  std::optional<double> arrivals; ///< that have reached it; none: it does not report them
};

/// Reads how much work a program has done.
class Progress {
public:
  virtual ~Progress() = default;
  /// None: the program has reported nothing yet.
  [[nodiscard]] virtual std::optional<Done> done() = 0;
  /// How many threads the program should have. False: it cannot be told to change them.
  virtual bool want_threads([[maybe_unused]] std::size_t threads) { return false; }
  /// Why nothing can be read (any more), as a user reads it; empty: something can.
  [[nodiscard]] virtual std::string why_not() const { return ""; }
};

/// Confines all threads of a program to CPUs.
class Confiner {
public:
  virtual ~Confiner() = default;
  /// Also threads and processes that it starts later. Throws Error{hardware} if not even one
  /// thread could be confined.
  virtual void confine(const std::vector<std::size_t>& cpus) = 0;
  /// CPU time of all its threads so far, those that have ended included.
  [[nodiscard]] virtual Seconds cpu_time() = 0;
  /// Whether it is still there.
  [[nodiscard]] virtual bool alive() = 0;
};

/// Makes the computation between two MPI calls take its time. On a real machine it does so by
/// itself; a simulator has to be told.
class Computation {
public:
  virtual ~Computation() = default;
  /// The rank enters MPI: what it computed since resume() is over. `operation`: which call it is;
  /// `place`: from which place of the program, counted from 1 for each operation.
  virtual void charge(std::uint16_t operation, std::uint32_t place) = 0;
  /// The rank leaves MPI.
  virtual void resume() = 0;
  /// How often the computation was not what it should have been (see the backend); 0 is good.
  struct Divergences {
    std::size_t measured = 0;        ///< it was measured
    std::size_t from_like_calls = 0; ///< it was what like calls had, on average
  };
  [[nodiscard]] virtual Divergences divergences() const = 0;
};

/// Is told when the rank is in MPI, and hence not computing.
class CallListener {
public:
  struct Entry {
    bool may_wait = false;     ///< for other ranks
    std::uint64_t call = 0;    ///< as leave()'s
    std::size_t iteration = 0; ///< of the rank's loop, counted from 1; 0: none is known
  };

  virtual ~CallListener() = default;
  /// Its computation is over.
  virtual void enter(const Entry& entry) = 0;
  /// It is about to compute. `call`: the same for calls of the same function from the same place.
  virtual void leave(std::uint64_t call) = 0;
};

/// Does something while the program goes on.
class Background {
public:
  virtual ~Background() = default;
  /// Returns at once. The last task must be done.
  virtual void start(std::function<void()> task) = 0;
  /// Whether the last task is done, so that its results may be read.
  [[nodiscard]] virtual bool done() const = 0;
  /// Until it is. Only at the end of the program.
  virtual void wait() = 0;
};

/// Messages between neighbouring ranks of hypermile, apart from the program's own. Messages of one
/// rank to another arrive in the order in which they were sent.
class Exchange {
public:
  using Bytes = std::vector<std::uint8_t>;
  struct Message {
    int from;
    Bytes bytes;
    bool lost = false; ///< it came, but there was no memory to keep its bytes
  };

  virtual ~Exchange() = default;
  /// Returns at once. `bytes`: at least one. May throw where there is no memory; nothing is sent
  /// then.
  virtual void send(int to, Bytes bytes) = 0;
  /// Sends a message without bytes. On a real machine this needs no memory and does not throw.
  virtual void send_empty(int to) = 0;
  /// A message that has arrived, if there is one. Returns at once.
  virtual std::optional<Message> poll() = 0;
  /// The next message of any rank. Only at the end of the program, when nothing is held up by it.
  virtual Message wait() = 0;
};

} // namespace hypermile::control
