#pragma once

#include "control/backend.hpp"
#include "model/platform.hpp"

#include <cstdint>
#include <functional>
#include <pthread.h>
#include <utility>

/// A machine that behaves, as far as its computation goes, like a node of a cluster that is not
/// there: what a rank computes really is computed, and then takes as long as it would on that node
/// in its gear. Communication stays what it is on the machine at hand.
namespace hypermile::backend::emulated {

/// Needs nothing of this machine.
control::Finding probe(const control::Access& access);

/// The gears of `access`. The actuator remembers the gear and sets nothing: who opens this makes
/// the program compute as long as it would in that gear, by EmulatedComputation or otherwise.
control::OpenGears open(const control::Access& access);

/// Stretches the computation of the calling thread, by its CPU time: what other processes take of
/// the machine is not the program's work. Computation that is too short for others to have had the
/// core is stretched by the time that passed. Between calls by different threads nobody knows what
/// was computed: it takes as long as it took.
class EmulatedComputation final : public control::Computation {
public:
  /// How added time passes. A core that falls asleep computes more slowly when it wakes up; but
  /// where ranks share cores, the others need it.
  enum class Pause : bool { awake, asleep };

  /// How much the computation before such a call reacts to gears: see model::stretch().
  using Sensitivity = std::function<double(std::uint16_t operation, std::uint32_t place)>;

  /// `speed_of_machine`: of the machine at hand, in the platform's unit. A node that is faster
  /// than that cannot be emulated: throws Error{config}. `sensitivity`: empty: that of the type.
  EmulatedComputation(const model::NodeType& type, Speed speed_of_machine,
                      const control::Actuator& actuator, Pause pause, Sensitivity sensitivity = {});

  /// When the node was last in a lower gear than the actuator's, though ranks may have computed.
  struct Low {
    Seconds from;  ///< on the machine's monotonic clock
    Seconds until; ///< infinite: it still is
    std::size_t gear = 0;
  };
  /// From now on what is computed meanwhile takes as long as in that gear.
  void imitate(std::function<Low()> low) { low_ = std::move(low); }

  void charge(std::uint16_t operation, std::uint32_t place) override;
  void resume() override;
  [[nodiscard]] Divergences divergences() const override { return {}; }

private:
  void pass(Seconds time);
  Seconds computed();
  Seconds held_up(Seconds in_gear0, double stretch, double sensitivity) const;

  const model::GearTable gears_;
  double slower_; ///< than the machine at hand, in gear 0; at least 1
  const control::Actuator& actuator_;
  Sensitivity sensitivity_;
  std::function<Low()> low_{}; ///< empty: it never is
  Pause pause_;
  /// The thread's CPU clock, read at some time. Reading it takes a system call, as long as many an
  /// MPI call.
  struct CpuTime {
    Seconds used;
    Seconds at;
  };
  static CpuTime read_cpu_time(Seconds now);

  Seconds resumed_;
  CpuTime last_read_;
  pthread_t thread_;
  Seconds owed_; ///< time that has still to pass; negative if too much did
};

} // namespace hypermile::backend::emulated
