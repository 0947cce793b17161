#pragma once

#include "runtime/decide/chooser.hpp"
#include "runtime/decide/power_learner.hpp"
#include "runtime/exchange/messages.hpp"

#include <exception>
#include <optional>
#include <vector>

namespace hypermile::runtime {

/// Rank 0's part: collects what the ranks measured and has the gears of all nodes chosen.
class Coordinator {
public:
  /// None: measure only, never choose. `background`: where choices are made; null: in add().
  Coordinator(std::optional<select::Request> request, std::size_t ranks, TimeModel model = {},
              control::Background* background = nullptr);
  /// Waits for a choice under way.
  ~Coordinator();
  Coordinator(const Coordinator&) = delete;
  Coordinator& operator=(const Coordinator&) = delete;

  /// A rank has measured its loop; a later measurement takes the place of an earlier one, and one
  /// of the time before the last choice counts for nothing. Once every rank has since the last
  /// choice, returns an Order per rank. Nothing before that, and no orders while a choice is made
  /// in the background. Throws Error{hardware} for a rank that is not among those.
  std::vector<Message> add(Measurement measurement);
  /// What a rank has computed before its loop is known. Once every rank has told that of the same
  /// look, and no loop was measured yet, returns an Order per rank where gears are to be changed,
  /// else a Stay. Throws as above.
  std::vector<Message> add(EarlyMeasurement measurement);
  /// A rank's iterations have changed. Returns a Remeasure per rank where no choice is under way
  /// that takes that into account. Throws as above.
  std::vector<Message> add(const Drifted& drifted);
  /// As Chooser::begin_with().
  void begin_with(const Decision& decision) {
    if (chooser_)
      chooser_->begin_with(decision);
  }
  /// Until now the run was in planned gears that cost no more than this part of the time.
  void note_left_plan(Seconds elapsed, double slowdown) {
    if (chooser_)
      chooser_->note_left_plan(elapsed, slowdown);
  }
  /// The orders of a choice that was made in the background since the last call; nothing where
  /// there is none. Throws what the choice threw.
  std::vector<Message> take_orders();
  /// Orders, where a look at gear 0 has taken too long by now, or where a bound cannot be kept as
  /// nothing has been heard for too long; else nothing.
  std::vector<Message> check_time(Seconds elapsed);
  /// Until no choice is under way. Only at the end of the program.
  void settle();
  /// The rank has measured its loop, too late for a choice. Throws as add().
  void note_late(int rank) { late_[index_of(rank)] = true; }

  // While no choice is under way:
  /// The program has ended with these reports, by rank: what the last gears came to is known.
  void conclude(const std::vector<RankReport>& ranks);
  /// Likewise: what nodes draw, as their meters told. Tells in the reports which meters are not
  /// believed. Where gears were chosen by it, the power tables of the reports become what was
  /// learnt.
  std::vector<LearntPower> conclude_power(std::vector<RankReport>& ranks);
  [[nodiscard]] const std::vector<Decision>& decisions() const;
  [[nodiscard]] std::vector<std::vector<std::size_t>> phases() const {
    return chooser_ ? chooser_->phases() : std::vector<std::vector<std::size_t>>{};
  }
  [[nodiscard]] std::vector<LearntSensitivity> sensitivities() const {
    return chooser_ ? chooser_->sensitivities() : std::vector<LearntSensitivity>{};
  }
  [[nodiscard]] std::vector<TradeOff> trade_offs() const {
    return chooser_ ? chooser_->trade_offs() : std::vector<TradeOff>{};
  }
  /// Iterations that the last gears were chosen from; none where the time model does not ask.
  [[nodiscard]] std::optional<LoopExample> example() const {
    return chooser_ ? chooser_->example() : std::nullopt;
  }
  /// Ranks that the next choice waits for; none where a choice was made and no rank has
  /// measured anything since.
  [[nodiscard]] std::vector<int> missing() const;

private:
  /// From one choice to the next.
  enum class Stage {
    gathers, ///< waits until each rank has measured its loop
    chooses  ///< in the background; ranks may measure again meanwhile
  };
  /// What came of a choice in the background.
  struct Outcome {
    std::vector<Message> orders{};
    std::exception_ptr failure{}; ///< or why there are none
  };

  [[nodiscard]] std::size_t index_of(int rank) const;
  template <class OfRank> void recall_node(OfRank& measurement);
  [[nodiscard]] bool none_waits() const;
  [[nodiscard]] std::vector<Message> to_all(const Message& message) const;
  std::vector<Measurement> take_measurements();
  [[nodiscard]] bool is_asked() const;
  std::vector<Message> ask(std::vector<bool> ranks);
  std::vector<Message> ask_silent();
  std::vector<Message> choose_or_ask();
  std::vector<Message> choose(std::vector<Measurement> all);
  void pace(const std::vector<Measurement>& all);
  template <class OfRank> void apply_power(std::vector<OfRank>& all);
  std::vector<Message> hand_out(std::vector<Message> orders);

  std::optional<Chooser> chooser_; ///< none: measure only
  PowerLearner power_;
  bool caps_power_ =
      false; ///< in any way: what was promised is promised by the tables as they were
  std::vector<std::optional<RankNode>> nodes_; ///< by rank, as it told
  control::Background* background_;
  Stage stage_ = Stage::gathers;
  std::vector<std::optional<Measurement>> measurements_; ///< by rank, for the next choice
  std::vector<std::size_t> told_; ///< by rank: how often since the last choice
  std::vector<bool> asked_;       ///< by rank: to tell what it has, and has not done so yet
  std::size_t asks_ = 0;          ///< how often some were, since the last choice
  std::vector<std::optional<EarlyMeasurement>> early_; ///< by rank
  std::vector<bool> late_;                             ///< by rank: measured, but for no choice
  bool keeps_pace_ = false;   ///< choices come as often as what it takes to measure for them allows
  Seconds messages_;          ///< for choices, of all ranks, about: on a slow link
  bool may_look_soon_ = true; ///< after the choice under way
  std::vector<std::size_t> after_;     ///< by rank: GearOrder::after of the choice under way
  std::size_t last_loop_decision_ = 0; ///< the last that rests on measurements of the loop, from 1
  std::size_t last_order_ = 0; ///< the last decision by now, but for those before a loop is known
  Outcome outcome_;
  bool remeasuring_ = false; ///< all were asked to, for the next choice
  bool drifted_ = false;     ///< since ranks began to measure for the choice under way
};

} // namespace hypermile::runtime
