#pragma once

#include "runtime/decide/gear0_ratio.hpp"
#include "runtime/decide/gear0_reference.hpp"
#include "runtime/decide/node_problem.hpp"
#include "runtime/decide/prediction_bias.hpp"
#include "runtime/decide/time_model.hpp"
#include "runtime/exchange/messages.hpp"
#include "select/selector.hpp"

#include <exception>
#include <optional>
#include <string>
#include <vector>

namespace hypermile::runtime {

/// Rank 0's part: collects what the ranks measured and chooses the gears of all nodes.
class Coordinator {
public:
  /// None: measure only, never choose. `background`: where choices are made; null: in add().
  Coordinator(std::optional<select::Request> request, std::size_t ranks, TimeModel model = {},
              control::Background* background = nullptr);
  /// Waits for a choice under way.
  ~Coordinator();
  Coordinator(const Coordinator&) = delete;
  Coordinator& operator=(const Coordinator&) = delete;

  /// A rank has measured its loop. Once every rank has since the last choice, returns one message
  /// per rank: where some have said that they are ready, an EventsRequest, which all answer with
  /// a measurement; else an Order. Nothing before that, and no orders while a choice is made in
  /// the background. Throws Error{hardware} for a rank that is not among those.
  std::vector<Message> add(Measurement measurement);
  std::vector<Message> add(const Ready& ready);
  /// A rank's iterations have changed. Returns a Remeasure per rank where no choice is under way
  /// that takes that into account. Throws as above.
  std::vector<Message> add(const Drifted& drifted);
  /// The orders of a choice that was made in the background since the last call; nothing where
  /// there is none. Throws Error{hardware} for one that failed.
  std::vector<Message> take_orders();
  /// Until no choice is under way. Only at the end of the program.
  void settle();
  /// The rank has measured its loop, too late for a choice. Throws as add().
  void note_late(int rank) { ready_[index_of(rank)] = Seconds{}; }

  // While no choice is under way:
  /// The program has ended with these reports, by rank: what the last gears came to is known.
  void conclude(const std::vector<RankReport>& ranks);
  [[nodiscard]] const std::vector<Decision>& decisions() const { return decisions_; }
  /// Ranks that the next choice waits for; none where a choice was made and no rank has
  /// measured anything since, and where events were asked for.
  [[nodiscard]] std::vector<int> missing() const;

private:
  [[nodiscard]] std::size_t index_of(int rank) const;
  /// A node that has refused a gear is not in it, whatever ranks were told that do not set it.
  void believe_leaders(std::vector<Measurement>& all) const;
  /// Compares what was measured with what the last decision predicted.
  void judge(const std::vector<Measurement>& all, const NodeProblem& problem);
  void notice_surprise(const std::vector<Measurement>& all, double time_ratio);
  void step_back(const std::vector<Measurement>& all, double time_ratio);
  /// Whether these were measured in the gears of the last decision.
  [[nodiscard]] bool in_effect(const std::vector<Measurement>& all,
                               const NodeProblem& problem) const;
  /// Learns from measurements of all ranks and chooses.
  Decision consider(const std::vector<Measurement>& all, const NodeProblem& problem);
  /// None where the cluster model is what there is.
  std::optional<Decision> consider_dependencies(const std::vector<Measurement>& all,
                                                const NodeProblem& problem);
  /// Stays in gear 0 where there is an objection. `in_gear0`: an iteration, where it is known
  /// better than by the nodes' table.
  Decision decide(const NodeProblem& nodes, const std::string& objection,
                  const std::optional<model::Baseline>& in_gear0 = std::nullopt);
  /// By the cluster model, which keeps an account of a bound on slowdown.
  Decision consider_means(const std::vector<Measurement>& all, const NodeProblem& problem);
  void spend(const std::vector<Measurement>& all);
  [[nodiscard]] bool keeps_account() const;
  /// Leaves of the bound what the account, the bias and what is not known of gear 0 do, against
  /// the model's time in gear 0, of which gear 0 takes `reference`; why nothing is left, if so.
  std::string tighten(select::Request& request, double reference);
  /// What the last decision means to each rank.
  [[nodiscard]] std::vector<Message> orders(const NodeProblem& problem);
  std::vector<Message> proceed();
  /// The orders that follow from what all ranks measured.
  std::vector<Message> choose(std::vector<Measurement> all, bool changed);
  std::vector<Message> hand_out(std::vector<Message> orders);
  /// What was learnt of one loop says nothing about another.
  void begin_phase(const std::vector<Measurement>& all);
  /// The same loop has come to take more or less time.
  void begin_level();
  /// Why no gears can be chosen from the events of a program that decides while it runs who does
  /// what; empty if it does not, or there are no events.
  [[nodiscard]] static std::string assignment(const std::vector<Measurement>& all);
  /// Why gears that were set before must be given up; empty if they need not.
  [[nodiscard]] static std::string disappointment(const std::vector<Measurement>& all,
                                                  const model::Baseline& baseline);

  std::optional<select::Request> request_;
  TimeModel model_;
  control::Background* background_;
  bool choosing_ = false;       ///< in the background
  std::vector<Message> orders_; ///< what came of it
  std::exception_ptr failed_;   ///< or why nothing did
  bool remeasuring_ = false;    ///< all were asked to, for the next choice
  bool drifted_ = false;        ///< since ranks began to measure for the choice under way
  SlowdownBudget budget_;
  DecisionBudget decision_budget_;
  std::vector<std::optional<Measurement>> measurements_;
  std::vector<std::optional<Seconds>> ready_; ///< by rank: since when
  bool asked_for_events_ = false;             ///< and not all have sent them
  std::vector<Decision> decisions_;
  std::size_t phase_ = 0;
  std::string unknown_gear0_;    ///< why gear 0 has to be measured first, where it has
  Gear0Reference gear0_;         ///< of the present phase
  bool first_gears_ = true;      ///< none were chosen in the present phase
  bool doubtful_ = false;        ///< measured with gears, the loop cost more than in gear 0
  std::string given_up_;         ///< why no gear is tried any more
  Gear0Ratio gear0_ratio_;       ///< of the present phase
  std::size_t surprises_ = 0;    ///< in a row: measured, the last gears took longer than predicted
  std::optional<Decision> good_; ///< the last of the present phase that did not
  std::optional<Decision> kept_; ///< for the rest of the present phase
  double accepted_ = 0;          ///< time ratio that was measured of it and found worth having
  PredictionBias bias_;          ///< of the cluster model, in the present phase
  select::Selector selector_;
};

} // namespace hypermile::runtime
