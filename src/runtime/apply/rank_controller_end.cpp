// The end of the program: what each rank reports, and what rank 0 makes of it.

#include "runtime/apply/rank_controller.hpp"

#include "runtime/decide/power_learner.hpp"

#include <fmt/format.h>

#include <utility>

namespace hypermile::runtime {

void RankController::arrive() {
  if (std::exchange(arrived_, true))
    return;
  if (coordinator_)
    coordinator_->settle();
  attempt(Role::measures, [this] { tell_common_stage(); });
  ports_.exchange.arrive();
  attempt(Role::measures, [this] { take_common_stage(); });
  count_away();
  role_ = std::max(role_, Role::measures); // gears are restored from now on, and not set
}

void RankController::tell_common_stage() {
  if (coordinator_ && ports_.reports_stage)
    distribute(std::vector<Message>(
        static_cast<std::size_t>(ranks_),
        CommonStage{orders_of_longest_stage(stages_, start_, ports_.clock.now())}));
}

/// What rank 0 sent before it arrived has come by now. Orders are of no use any more.
void RankController::take_common_stage() {
  if (rank_ == 0 || !ports_.reports_stage)
    return;
  while (const auto message = ports_.exchange.poll())
    if (const Message decoded = decode(message->bytes);
        std::holds_alternative<CommonStage>(decoded))
      handle(message->from, decoded);
}

std::optional<RunReport> RankController::finish(const std::function<void(RankReport&)>& closing) {
  arrive();
  std::optional<RankReport> own;
  attempt(Role::passive, [&] {
    own = report();
    closing(*own);
    if (rank_ != 0)
      ports_.exchange.send(0, encode(*own));
  });
  ports_.exchange.close();
  return rank_ == 0 ? std::optional(collect(std::move(own))) : std::nullopt;
}

/// Since the last order.
std::optional<LastIterations> RankController::last_iterations() const {
  if (changes_.empty() || watch_.measured_iterations() == 0)
    return std::nullopt;
  const Span mean = watch_.mean_iteration();
  return LastIterations{.phase = watch_.phase(),
                        .iterations = watch_.measured_iterations(),
                        .computation = mean.computation,
                        .communication = mean.communication,
                        .calls = watch_.mean_calls(),
                        .stolen = share_stolen(watch_.measured_since())};
}

RankReport RankController::report() const {
  RankReport report{.rank = rank_,
                    .node = node_,
                    .loop = watch_.report(),
                    .phases = watch_.phases(),
                    .changes = changes_,
                    .gear = ports_.actuator.gear(),
                    .time = ports_.clock.now() - start_,
                    .computation = total_.computation,
                    .communication = total_.communication,
                    .overhead = overhead_,
                    .watching = watching_.total(),
                    .unwatched = unwatched_,
                    .calls = total_.calls,
                    .energy = energy(),
                    .readings = readings_ ? readings_->all() : std::vector<EnergyReading>{},
                    .power = power_ ? power_->points() : std::vector<PowerPoint>{},
                    .meter_dropped = meter_watch_.why_not(),
                    .failure = failure(),
                    .access = std::nullopt,
                    .last = last_iterations(),
                    .departed = plan_ ? plan_->why() : departed_};
  if (!report.meter_dropped.empty())
    drop_meter(report);
  return report;
}

std::string RankController::failure() const {
  if (!reason_.empty())
    return reason_.text();
  return failure_.empty() ? overridden_ : failure_;
}

/// What every rank sent since the last choice: reports, and what comes too late for another one.
RunReport RankController::collect(std::optional<RankReport> own) {
  std::vector<std::optional<RankReport>> reports(static_cast<std::size_t>(ranks_));
  reports[0] = std::move(own);
  Reason unreadable;
  for (bool more = true; more;)
    try {
      const auto message = ports_.exchange.poll();
      more = message.has_value();
      if (more)
        keep(message->from, decode(message->bytes), reports);
    } catch (const std::exception& error) {
      unreadable.set(reason_of(error));
    }
  if (unreadable.empty())
    unreadable.set("it was lost on its way");
  RunReport run{.ranks = {}, .decisions = {}, .without_loop = {}};
  for (auto& report : reports) {
    const auto rank = static_cast<int>(run.ranks.size());
    if (!report) {
      report.emplace(RankReport{.rank = rank, .node = unknown_node()});
      report->failure = fmt::format("its report is missing: {}", unreadable.text());
    }
    run.ranks.push_back(std::move(*report));
  }
  if (reason_.empty())
    run.without_loop = coordinator_->missing();
  coordinator_->conclude(run.ranks);
  attempt(Role::passive, [&] { run.power = coordinator_->conclude_power(run.ranks); });
  run.decisions = coordinator_->decisions();
  run.phases = coordinator_->phases();
  attempt(Role::passive, [&] { run.trade_offs = coordinator_->trade_offs(); });
  attempt(Role::passive, [&] { run.example = coordinator_->example(); });
  attempt(Role::passive, [&] { run.sensitivities = coordinator_->sensitivities(); });
  return run;
}

void RankController::keep(int from, Message message,
                          std::vector<std::optional<RankReport>>& reports) {
  if (std::holds_alternative<Measurement>(message))
    coordinator_->note_late(from);
  auto* const report = std::get_if<RankReport>(&message);
  if (report == nullptr)
    return; // an answer that came too late
  check_sender(from, report->rank);
  reports[static_cast<std::size_t>(from)] = std::move(*report);
}

} // namespace hypermile::runtime
