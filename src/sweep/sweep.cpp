#include "sweep/sweep.hpp"

#include "simulate/process.hpp"
#include "study/time_left.hpp"
#include "sweep/cell_process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <list>
#include <memory>
#include <thread>

namespace hypermile::sweep {
namespace {

using study::Outcome;
using Status = Outcome::Status;

std::string result_line(const Outcome& outcome) {
  if (outcome.status == Status::missing)
    return "ended by a signal; nothing is kept";
  if (outcome.status == Status::failed)
    return fmt::format("failed: {}", outcome.reason);
  return fmt::format("done in {}", study::in_words(outcome.took));
}

/// The cells of a sweep that are to be simulated, some of which are under way.
class Work {
public:
  Work(const std::vector<Place>& places, std::vector<Outcome> outcomes, const ResultsFolder& folder,
       const Request& request, const Listener& listener)
      : places_(places), outcomes_(std::move(outcomes)), folder_(folder), request_(request),
        listener_(listener), recording_time_(places.size()) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Status known = outcomes_[i].status;
      if (known == Status::done)
        durations_.finished(places[i].cell, outcomes_[i].took);
      if (known == Status::missing || (known == Status::failed && request.retry_failed)) {
        outcomes_[i] = {};
        waiting_.push_back(i);
      }
    }
  }

  /// Until all are finished. Throws Interrupted.
  std::vector<Outcome> finish() {
    listener_.step(opening());
    while (!waiting_.empty() || !running_.empty()) {
      start();
      if (running_.empty()) // all wait for recordings that others make
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
      else
        simulate::Process::wait_for_any(Seconds{0.5});
      take_finished();
      if (simulate::Interruption::pending() != 0) {
        end_all();
        simulate::Interruption::check();
      }
      listener_.status(status());
    }
    return std::move(outcomes_);
  }

private:
  struct Job {
    std::size_t index; ///< among the places
    std::unique_ptr<CellProcess> process;
  };

  [[nodiscard]] std::string opening() const {
    const std::size_t known = places_.size() - waiting_.size();
    if (waiting_.empty())
      return "nothing is left to simulate";
    return fmt::format("{} cell{} to simulate, {} at a time{}", waiting_.size(),
                       waiting_.size() == 1 ? "" : "s", request_.jobs,
                       known == 0 ? "" : fmt::format("; {} known already", known));
  }

  /// What programs compute is measured first, and one at a time: neighbours on the same machine
  /// would be part of the measurement.
  void start() {
    if (running_.empty())
      start_recording();
    if (!is_recording())
      start_simulations();
  }

  void start_recording() {
    for (auto next = waiting_.begin(); next != waiting_.end(); ++next)
      if (lacks_recording(places_[*next], folder_))
        if (auto process = CellProcess::record(places_[*next], request_, folder_)) {
          running_.push_back({*next, std::move(process)});
          waiting_.erase(next);
          return;
        }
  }

  /// Those whose recording somebody is making wait for it.
  void start_simulations() {
    for (auto next = waiting_.begin(); running_.size() < request_.jobs && next != waiting_.end();) {
      const auto cell = next++;
      if (lacks_recording(places_[*cell], folder_))
        continue;
      running_.push_back({*cell, CellProcess::simulate(places_[*cell], request_, folder_)});
      waiting_.erase(cell);
    }
  }

  [[nodiscard]] bool is_recording() const {
    return std::ranges::any_of(running_, [](const Job& job) { return job.process->records(); });
  }

  void take_finished() {
    std::erase_if(running_, [this](const Job& job) {
      const auto end = job.process->poll();
      if (end && end->recorded)
        take_recorded(job.index, end->outcome.took);
      else if (end)
        take(job.index, *end);
      return end.has_value();
    });
  }

  void take_recorded(std::size_t index, Seconds took) {
    recording_time_[index] = took;
    waiting_.insert(std::ranges::upper_bound(waiting_, index), index);
    listener_.step(fmt::format("{}: recorded in {}", study::described(places_[index].cell),
                               study::in_words(took)));
  }

  /// What was found out is kept before it is told.
  void take(std::size_t index, const CellEnd& end) {
    const Place& place = places_[index];
    Outcome& outcome = outcomes_[index] = end.outcome;
    outcome.took += recording_time_[index];
    if (outcome.status != Status::missing)
      folder_.keep(place, outcome, end.simulation);
    if (outcome.status == Status::done)
      durations_.finished(place.cell, outcome.took);
    if (outcome.status != Status::missing || simulate::Interruption::pending() == 0)
      listener_.step(fmt::format("{}: {}", study::described(place.cell), result_line(outcome)));
  }

  /// Lets simulations clean up; those that have ended in time are kept.
  void end_all() {
    constexpr int patience_steps = 1000;
    constexpr std::chrono::milliseconds step{10};
    for (const Job& job : running_)
      job.process->ask_to_end();
    for (int i = 0; i < patience_steps && !running_.empty(); ++i) {
      take_finished();
      std::this_thread::sleep_for(step);
    }
    running_.clear();
  }

  [[nodiscard]] std::string status() const {
    std::vector<const study::Cell*> waiting;
    for (const std::size_t index : waiting_)
      waiting.push_back(&places_[index].cell);
    std::vector<study::Running> running;
    for (const Job& job : running_)
      running.push_back({&places_[job.index].cell, job.process->since()});
    const auto left = study::time_left(durations_, waiting, running, request_.jobs);
    const auto count = [this](Status status) {
      return static_cast<std::size_t>(std::ranges::count(outcomes_, status, &Outcome::status));
    };
    std::string line = fmt::format("{} of {} cells done, {} failed", count(Status::done),
                                   places_.size(), count(Status::failed));
    if (left)
      line += fmt::format(", about {} left", study::in_words(*left));
    for (const Job& job : running_)
      line += fmt::format(" | {}{}", study::described(places_[job.index].cell),
                          job.process->records() ? ", recording" : "");
    return line;
  }

  const std::vector<Place>& places_;
  std::vector<Outcome> outcomes_;
  const ResultsFolder& folder_;
  const Request& request_;
  const Listener& listener_;
  study::Durations durations_;
  std::list<std::size_t> waiting_;
  std::vector<Job> running_;
  std::vector<Seconds> recording_time_; ///< by place; 0: not recorded here
};

} // namespace

std::vector<Place> places_of(const std::vector<study::Cell>& cells,
                             const Surroundings& surroundings) {
  Fingerprints fingerprints(surroundings);
  std::vector<Place> places;
  for (const study::Cell& cell : cells) {
    std::string fingerprint = fingerprints.of(cell);
    std::string recording = fingerprints.of_recording(cell);
    places.push_back({cell, std::move(fingerprint), std::move(recording)});
  }
  return places;
}

std::vector<Outcome> collect(const std::vector<Place>& places, const ResultsFolder& folder) {
  std::vector<Outcome> outcomes;
  for (const Place& place : places)
    outcomes.push_back(folder.find(place));
  return outcomes;
}

std::vector<Outcome> run(const std::vector<Place>& places, const ResultsFolder& folder,
                         const Request& request, const Listener& listener) {
  const simulate::Interruption interruption;
  return Work(places, collect(places, folder), folder, request, listener).finish();
}

} // namespace hypermile::sweep
