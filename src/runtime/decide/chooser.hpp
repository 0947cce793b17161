#pragma once

#include "runtime/decide/dependency_policy.hpp"
#include "runtime/decide/early_policy.hpp"
#include "runtime/decide/learnt.hpp"
#include "runtime/decide/loop_example.hpp"
#include "runtime/decide/means_policy.hpp"
#include "runtime/decide/phase_memory.hpp"
#include "runtime/decide/power_account.hpp"
#include "runtime/decide/trade_offs.hpp"
#include "runtime/decide/uncoupled_policy.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hypermile::runtime {

/// Chooses the gears of all nodes, again and again, and learns from what came of the last ones.
class Chooser {
public:
  Chooser(const select::Request& request, TimeModel model);
  Chooser(const Chooser&) = delete;
  Chooser& operator=(const Chooser&) = delete;

  /// The run begins in the gears of this decision, which was made beforehand.
  void begin_with(const Decision& decision) {
    before_loop_.begin_in(decision.gears);
    learnt_.decisions.push_back(decision);
  }
  /// By the name of a node, for each gear another one that is to be set in its place, as it is no
  /// slower and draws less.
  using Beaten = std::map<std::string, std::vector<std::optional<model::Gear>>>;
  /// From the next choice on.
  void leave_out(Beaten beaten) { beaten_ = std::move(beaten); }
  /// From measurements, one per rank. `changed`: the iterations are no longer what they were.
  /// Returns what the choice means to each rank.
  /// `pause`: for so long ranks measure nothing.
  std::vector<Message> choose(std::vector<Measurement> all, bool changed, Seconds pause = {});
  /// The same before any loop is known; nothing where the gears stay what they are.
  std::vector<Message> choose_early(const std::vector<EarlyMeasurement>& all);
  /// The gears of before, where gear 0 was to be measured again and that takes too long, as some
  /// ranks no longer find the loop that was to be measured, say; else nothing.
  std::vector<Message> end_look(Seconds elapsed);
  /// Gear 0 for all, where a bound on slowdown is kept and nothing has been heard for too long of
  /// what the present gears come to: the program does something else, or ranks have lost their
  /// loop; else nothing.
  std::vector<Message> end_unheard(Seconds elapsed);
  /// Before the first choice: the run so far may have taken so much longer than in gear 0.
  void note_left_plan(Seconds elapsed, double slowdown) { learnt_.budget.spend(elapsed, slowdown); }
  /// The program has ended with these reports, by rank: what the last gears came to is known.
  void conclude(const std::vector<RankReport>& ranks);
  /// What other bounds on slowdown would have given; empty where the time model does not ask.
  [[nodiscard]] std::vector<TradeOff> trade_offs() const;
  /// Iterations that the last gears were chosen from; none where the time model does not ask.
  [[nodiscard]] std::optional<LoopExample> example() const;
  /// Parts of the last loop that are known to react to gears less than in full.
  [[nodiscard]] std::vector<LearntSensitivity> sensitivities() const;
  [[nodiscard]] const std::vector<Decision>& decisions() const { return learnt_.decisions; }
  [[nodiscard]] std::vector<std::vector<std::size_t>> phases() const { return phases_.loops(); }

private:
  /// A node that has refused a gear is not in it, whatever ranks were told that do not set it.
  void believe_leaders(std::vector<Measurement>& all) const;
  /// What was learnt of one loop says nothing about another. True where the program is back in a
  /// phase of before.
  bool begin_phase(const std::vector<Measurement>& all);
  /// The account of the gears that were left, as far as they did as predicted.
  void account_for_left(const std::vector<Measurement>& all);
  /// The same loop has come to take more or less time.
  void begin_level();
  /// Where nodes or clusters do not wait for each other: their iterations are not to be compared.
  std::vector<Message> choose_uncoupled(const std::vector<Measurement>& all, bool changed);
  /// Compares what was measured with what the last decision predicted.
  void judge(const std::vector<Measurement>& all, const NodeProblem& problem);
  /// Whether these were measured in the gears of the last decision.
  [[nodiscard]] bool in_effect(const std::vector<Measurement>& all,
                               const NodeProblem& problem) const;
  void begin_loop(const std::vector<Measurement>& all);
  void learn_sensitivity(std::vector<Measurement>& all);
  [[nodiscard]] std::optional<double> ratio_to_basis(const std::vector<Measurement>& all) const;
  [[nodiscard]] bool is_of_last_loop(const std::vector<Measurement>& all) const;
  Decision decide(const std::vector<Measurement>& all, const NodeProblem& problem);
  [[nodiscard]] std::optional<Decision> as_before(const std::vector<Measurement>& all);
  /// The same where it keeps the caps on power, else one that does, or is the nearest to that.
  Decision within_caps(Decision decision, const NodeProblem& problem);
  void keep_basis(std::vector<Measurement> all);
  [[nodiscard]] const Decision& in_force() const;
  void expect_news(const std::vector<Measurement>& all, Seconds pause);
  void forgive_making_up(Decision& decision) const;
  void note_amounts(const std::vector<Measurement>& all);
  [[nodiscard]] bool repeats_known_loop(const std::vector<Measurement>& all) const;
  [[nodiscard]] bool stays_as_it_is(const std::vector<Measurement>& all) const;
  [[nodiscard]] Decision go_on() const;
  [[nodiscard]] Decision last_again() const;
  [[nodiscard]] bool may_go_on() const;
  [[nodiscard]] bool may_stay(const std::vector<Measurement>& all) const;
  [[nodiscard]] bool look_again();
  [[nodiscard]] Decision without_beaten(Decision decision) const;
  template <class OfRank> void locate(const std::vector<OfRank>& all);
  [[nodiscard]] std::vector<Message> orders(bool again) const;

  select::Request request_; ///< of the present choice
  select::Constraints asked_;
  TimeModel model_;
  PowerAccount account_;
  std::optional<ChoiceBasis> basis_; ///< of the last choice that set gears, or of the last one
  Beaten beaten_;
  Learnt learnt_;
  PhaseMemory phases_;
  std::vector<std::size_t> loops_; ///< Measurement::loop by rank, when the last choice was made
  struct Amount {
    double calls = 0;
    Seconds work; ///< in gear 0
  };
  [[nodiscard]] static bool is_more_of(const Amount& amount, const Amount& then);
  std::vector<std::string> node_of_rank_; ///< once they have told anything
  struct News {
    Seconds overdue; ///< since the begin of the run: by then something should have been heard
    Seconds own;     ///< that hypermile had taken when the last was
  };
  std::optional<News> news_;      ///< of the last gears
  std::vector<Amount> by_events_; ///< by rank: an iteration of those that were chosen from; or none
  DependencyPolicy by_dependencies_{request_, model_, learnt_};
  EarlyPolicy before_loop_;
  MeansPolicy by_means_{request_, model_.confidence, learnt_};
  UncoupledPolicy uncoupled_{request_, model_};
};

} // namespace hypermile::runtime
