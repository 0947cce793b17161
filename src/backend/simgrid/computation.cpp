#include "backend/simgrid/computation.hpp"

#include "model/sensitivity.hpp"

#include <smpi/smpi.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <utility>

namespace hypermile::backend::simgrid {
namespace {

Seconds time_on(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return Seconds{static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec)};
}

/// How far ahead the recording is searched for a call after a divergence.
constexpr std::size_t resynchronisation = 64;

} // namespace

RankComputation::RankComputation(Source source, Account& account,
                                 std::vector<model::RecordedCall>* record)
    : source_(std::move(source)), account_(account), record_(record),
      clock_(source_.from == From::recording ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID) {
  const auto repeats = [this](const model::RecordedCall& call) {
    return source_.repeats_by_time(call.operation);
  };
  if (std::ranges::any_of(source_.recorded, repeats))
    like_.emplace(source_.recorded);
}

void RankComputation::charge(std::uint16_t operation, std::uint32_t place) {
  const Work work = computed(operation);
  account_.charged += work;
  if (record_ != nullptr)
    record_->push_back({operation, work});
  pending_ += work * share_of_work(operation, place);
  if (pending_ <= source_.worth_an_event)
    return;
  smpi_execute_flops_benched(pending_.value());
  pending_ = {};
}

/// So much of the work makes the host take as long as the whole of it takes.
double RankComputation::share_of_work(std::uint16_t operation, std::uint32_t place) const {
  if (!source_.sensitivity)
    return 1;
  const double scale = source_.scale();
  return model::stretch(scale, source_.sensitivity(operation, place)) / scale;
}

Work RankComputation::computed(std::uint16_t operation) {
  switch (source_.from) {
  case From::recording:
    return replayed(operation);
  case From::program:
    return std::exchange(account_.told, Work{});
  case From::clock:
    break;
  }
  return measured();
}

void RankComputation::resume() { resumed_ = time_on(clock_); }

Work RankComputation::measured() const {
  return Work{std::round((source_.reference_speed * (time_on(clock_) - resumed_)).value())};
}

Work RankComputation::replayed(std::uint16_t operation) {
  const std::uint16_t previous = std::exchange(previous_, operation);
  if (source_.repeats_by_time(operation))
    return replayed_by_time(operation, previous);
  const auto recorded = source_.recorded.subspan(next_);
  std::size_t skipped = 0;
  Work left_over{};
  for (; skipped < recorded.size() && source_.repeats_by_time(recorded[skipped].operation);
       ++skipped)
    if (!source_.is_poll(recorded[skipped].operation))
      left_over += recorded[skipped].computation;
  is_in_step_ = skipped < recorded.size() && recorded[skipped].operation == operation;
  if (!is_in_step_)
    return diverging(operation, previous);
  next_ += skipped + 1;
  return left_over + recorded[skipped].computation;
}

Work RankComputation::replayed_by_time(std::uint16_t operation, std::uint16_t previous) {
  const auto recorded = source_.recorded.subspan(next_);
  if (!recorded.empty() && recorded[0].operation == operation) {
    ++next_;
    return recorded[0].computation;
  }
  // In step, there is none: the work is before the next call. Out of step nobody knows.
  const bool is_first = !source_.repeats_by_time(previous);
  if (is_in_step_ || !is_first || !like_)
    return Work{};
  ++divergences_.from_like_calls;
  return like_->between(previous, operation).value_or(Work{});
}

Work RankComputation::diverging(std::uint16_t operation, std::uint16_t previous) {
  const auto recorded = source_.recorded.subspan(next_);
  const auto near = recorded.first(std::min(recorded.size(), resynchronisation));
  const auto is_like = [&](const model::RecordedCall& call) {
    return call.operation == operation &&
           (!like_ || (&call != near.data() && (&call - 1)->operation == previous));
  };
  const auto again = std::ranges::find_if(near, is_like);
  if (again != near.end())
    next_ += static_cast<std::size_t>(again - near.begin()) + 1;
  const auto typical = like_ ? like_->between(previous, operation) : std::nullopt;
  if (!typical) {
    ++divergences_.measured;
    return measured();
  }
  ++divergences_.from_like_calls;
  return again != near.end() ? again->computation : *typical;
}

} // namespace hypermile::backend::simgrid
