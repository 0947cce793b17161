#pragma once

#include "model/platform.hpp"
#include "runtime/exchange/run_report.hpp"
#include "runtime/wait_gear/board.hpp"
#include "runtime/wait_gear/shared_actuator.hpp"

#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace hypermile::runtime {

/// How the wait gear of a node is set.
enum class WaitGearWay {
  set,     ///< by the actuator
  emulate, ///< by nobody: the board tells what the node's computation has to imitate
  imagine  ///< not at all, but what it would save is told
};

/// An emulated node takes so long to change its gear: somewhat more than it takes Linux to write a
/// file of cpufreq and a processor to change its clock.
inline constexpr Seconds emulated_change{50e-6};

/// The thread that puts a node into its wait gear and back, in the process that sets its gears. It
/// sleeps until the last rank of the node waits, and is rung when one goes on while the gear is
/// low.
class WaitGearKeeper {
public:
  struct Limits {
    double share = 0.01; ///< of the time that lowered gears may cost
    Seconds anyway{1e-3};
  };

  /// `board`, of the node's ranks, and the actuator must outlive this. Changes the gear a few
  /// times, to learn how long that takes: the ranks must wait. What fails is told by use().
  WaitGearKeeper(WaitBoard& board, SharedActuator& actuator, WaitGearWay way, model::NodeType type,
                 Limits limits);
  /// As stop().
  ~WaitGearKeeper();
  WaitGearKeeper(const WaitGearKeeper&) = delete;
  WaitGearKeeper& operator=(const WaitGearKeeper&) = delete;

  /// From now on the gear is lowered. Throws Error{hardware} where the system gives no thread.
  void start();
  /// The node is in the gear to compute in again, if it takes it. In a child that was forked off it
  /// does nothing.
  void stop();
  /// What it has cost so far: for so long ranks were held up. By any thread.
  [[nodiscard]] Seconds cost() const { return Seconds{cost_s_.load(std::memory_order_relaxed)}; }
  /// Before start(), or after stop().
  [[nodiscard]] const WaitGearUse& use() const { return use_; }

private:
  [[nodiscard]] model::Gear base() const { return actuator_.gear(); }
  [[nodiscard]] bool ever_pays() const;
  [[nodiscard]] bool pays() const { return wait_gear_.at(base()).has_value(); }
  void choose_gears();
  void learn_change();
  [[nodiscard]] bool has_room() const;
  void run();
  std::optional<Seconds> look();
  void lower(model::Gear gear);
  void raise();
  void change(const std::optional<model::Gear>& lower);
  void note_stay(std::int64_t end);
  void fail(const char* what, const std::exception& error);
  void add_cost(Seconds time);
  [[nodiscard]] Seconds rest();
  [[nodiscard]] Seconds between_attempts() const;

  WaitBoard& board_;
  SharedActuator& actuator_;
  WaitGearWay way_;
  model::NodeType type_;
  Limits limits_;
  std::vector<std::optional<model::Gear>>
      wait_gear_;    ///< by the gear to compute in; none: does not pay
  Seconds change_{}; ///< of gears, as measured
  Seconds late_{};   ///< how late the thread is woken
  std::int64_t began_ = 0;
  std::optional<model::Gear> low_{};
  model::Gear low_from_{}; ///< the gear to compute in when it was lowered
  std::int64_t low_since_ = 0;
  std::size_t in_vain_ = 0; ///< timers since the gear was lowered last
  std::size_t refused_ = 0; ///< raises, in a row
  bool broken_ = false;     ///< the gear is never lowered again
  std::atomic<double> cost_s_ = 0;
  std::atomic<bool> stops_ = false;
  WaitGearUse use_;
  std::thread thread_;
  int process_ = 0; ///< that started it
};

} // namespace hypermile::runtime
