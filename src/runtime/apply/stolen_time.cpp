#include "runtime/apply/stolen_time.hpp"

#include <algorithm>
#include <utility>

namespace hypermile::runtime {

Seconds StolenTime::more(Seconds now) {
  read_ = now;
  const Seconds before = std::exchange(last_, std::max(last_, stolen_()));
  return last_ - before;
}

void StolenTime::take_from(Span& span, double scale) {
  span.stolen = of_computation_ + of_communication_;
  if (span.stolen <= Seconds{})
    return;
  const Seconds computation = std::min(of_computation_, span.computation);
  span.computation -= computation;
  span.computation_in_gear0 -= computation / scale;
  span.communication += computation; // iterations are as long as they were
  total_ += span.stolen;
  of_computation_ = of_communication_ = {};
}

void StolenHistory::note(Seconds until, Seconds stolen) {
  if (!moments_.empty() && until - moments_.back().begin < shortest_) {
    moments_.back().until = until;
    moments_.back().stolen += stolen;
    return;
  }
  if (moments_.size() == most_moments) { // two and two become one
    auto kept = moments_.begin();
    for (auto moment = moments_.begin(); moment != moments_.end(); moment += 2)
      *kept++ = {moment[0].begin, moment[1].until, moment[0].stolen + moment[1].stolen};
    moments_.erase(kept, moments_.end());
    shortest_ = (until - moments_.front().begin) / (most_moments / 2.0);
  }
  moments_.push_back({until, until, stolen});
}

Seconds StolenHistory::since(Seconds from) const {
  Seconds sum;
  for (const Moment& moment : moments_)
    if (moment.until > from)
      sum += moment.stolen;
  return sum;
}

double expected_stretch(Seconds stolen, Seconds elapsed) {
  constexpr Seconds burst{1};
  constexpr double most = 0.9; // of the time
  return 1 / (1 - std::min(stolen / (elapsed + burst), most));
}

} // namespace hypermile::runtime
