// Whether a candidate is a better main loop than the present one.

#include "runtime/loop/loop_finder.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace hypermile::runtime {
namespace {

std::size_t common_places(const FoundLoop& a, const FoundLoop& b) {
  std::vector<Symbol> common;
  std::ranges::set_intersection(a.places, b.places, std::back_inserter(common));
  return common.size();
}

} // namespace

/// Share of its iterations in which the main loop has been repeated once only, of those in which it
/// has been.
double LoopFinder::single_share(const FoundLoop& candidate) const {
  if (!is_alive())
    return 0;
  const auto& of_main = main_->boundaries;
  const auto& calls = candidate.boundaries;
  auto at = std::ranges::upper_bound(of_main, calls.front());
  double single = 0;
  double several = 0;
  for (std::size_t i = 1; i < calls.size(); ++i) {
    const auto next = std::upper_bound(at, of_main.end(), calls[i]);
    single += next - at == 1 ? 1 : 0;
    several += next - at > 1 ? 1 : 0;
    at = next;
  }
  return single / std::max(1.0, single + several);
}

/// Whether it is something that the main loop does now and then: a call in a branch, say.
bool LoopFinder::is_now_and_then(const FoundLoop& candidate, const Resemblance& alike) {
  if (is_alive() && candidate.anchor.grain == Grain::pair && main_->iterations >= 4 &&
      !compare_.has_own_calls(window_, candidate.boundaries, main_->boundaries))
    return true;
  const double single = single_share(candidate);
  if (single <= 1.0 / 3)
    return false;
  return single > 0.5 || alike.presence < resemblance(*main_, false).presence + 0.1;
}

/// Time that its iterations make up, those included that may have begun before its first boundary
/// and be under way. A call or two that lasted long do not make it a loop that matters.
double LoopFinder::covered(const FoundLoop& loop) const {
  const double usual = loop.usual_length(window_);
  const double before = loop.begin - window_.end(window_.first() - 1);
  return usual * static_cast<double>(loop.iterations) + std::min(usual, before) +
         std::min(usual, window_.now() - loop.last);
}

bool LoopFinder::takes_over(const FoundLoop& candidate) const {
  if (!main_ || is_doubtful())
    return true;
  const double own = covered(candidate);
  const double of_main = covered(*main_);
  const double ratio = candidate.usual_length(window_) / length_;
  const bool stale = is_stale(2);
  // Twice the same in a row may be chance, where iterations differ in a detail or two.
  if (candidate.exact && !main_->exact && !stale && ratio < 2.5 && candidate.iterations < 3)
    return false;
  if (ratio > much_longer)
    return own >= (stale ? 0.05 : !candidate.exact ? 0.8 : equal_ == 0 ? 0.3 : 0.5) * of_main;
  if (ratio > 1 / much_longer)
    return own >= 0.05 * of_main && is_apart(candidate) &&
           (stale || (candidate.exact && !main_->exact && equal_ == 0));
  return is_stale(4) && own >= 0.5 * of_main;
}

/// Whether it is the main loop some times over, whose iterations, no two in a row equal, may have
/// come in the same order again by chance.
bool LoopFinder::is_chance(const FoundLoop& candidate) const {
  constexpr double likely = 1e-3;
  const double ratio = static_cast<double>(candidate.calls()) / calls_per_iteration_;
  if (equal_ > 0 || main_->by_place || is_stale(2) || ratio < much_longer || main_->iterations < 5)
    return false;
  auto last = main_->boundaries_in(window_);
  last = last.last(std::min(last.size(), 4 * compared + 1));
  std::vector<std::uint64_t> hashes;
  for (std::size_t i = 1; i < last.size(); ++i)
    hashes.push_back(hash(last[i - 1] + 1, last[i] + 1));
  std::size_t equal = 0;
  for (std::size_t i = 1; i < hashes.size(); ++i)
    equal += hashes[i] == hashes[i - 1] ? 1 : 0;
  if (2 * equal > hashes.size()) // an inner loop, interrupted by the rest of the outer one
    return false;
  double chance = 1;
  const auto repeated =
      static_cast<std::size_t>(ratio * static_cast<double>(candidate.iterations - 1));
  for (std::size_t i = 0; i < std::min(repeated, hashes.size()); ++i)
    chance *= static_cast<double>(std::ranges::count(hashes, hashes[hashes.size() - 1 - i])) /
              static_cast<double>(hashes.size());
  return chance > likely;
}

/// Takes the place of the main loop, which is remembered where it goes on inside.
void LoopFinder::displace(FoundLoop candidate, std::size_t trial_end) {
  constexpr std::size_t established = 4; // iterations
  const bool goes_on = is_alive() && main_->iterations >= established;
  const auto before = main_;
  become_main(std::move(candidate));
  if (trial_end > 0 || (goes_on && !new_phase_))
    displaced_ = before;
  trial_end_ = trial_end;
}

/// What took the place of another loop may have been repeated by chance, or be over: while the
/// other goes on, that is back then. True if so.
bool LoopFinder::gives_way() {
  constexpr double soon = 2.5;   // iterations
  constexpr double as_often = 2; // as it was repeated, a loop may be away
  if (!displaced_)
    return false;
  if (tokens_.is_at(displaced_->anchor))
    displaced_->add_boundary(window_);
  const std::size_t next = window_.next();
  const auto period = static_cast<std::size_t>(found_calls_);
  const bool differs =
      next <= trial_end_ && window_.symbol(next - 1 - period) != window_.symbols().back();
  const double late = main_->iterations == found_iterations_
                          ? soon
                          : as_often * static_cast<double>(main_->iterations);
  const bool is_over =
      is_stale(late) && window_.now() - displaced_->last < soon * displaced_->length();
  if (!differs && !is_over)
    return false;
  const auto displaced = std::exchange(displaced_, std::nullopt);
  new_phase_ = goes_on_ = false;
  install(*displaced);
  return true;
}

/// Whether the main loop was not repeated in each of its iterations.
bool LoopFinder::is_apart(const FoundLoop& candidate) const {
  const auto& of_main = main_->boundaries;
  const auto inside = std::ranges::upper_bound(of_main, candidate.last_call()) -
                      std::ranges::lower_bound(of_main, candidate.first_call);
  return static_cast<std::size_t>(inside) < candidate.iterations;
}

/// Whether its iterations are at much the same places as those of another, with so many calls each.
bool LoopFinder::does_the_same(const FoundLoop& candidate, const FoundLoop& as,
                               double calls) const {
  constexpr double same_places = 0.75;
  const double ratio = static_cast<double>(candidate.calls()) / calls;
  if (ratio > much_longer || ratio * much_longer < 1)
    return false;
  const std::size_t in_both = common_places(candidate, as);
  const std::size_t in_one = candidate.places.size() + as.places.size() - in_both;
  return in_both > 0 && static_cast<double>(in_both) >= same_places * static_cast<double>(in_one);
}

/// Of the calls of its last iteration, each once.
std::vector<Symbol> LoopFinder::places_of(const FoundLoop& loop) const {
  std::vector<Symbol> places;
  const auto boundaries = loop.boundaries_in(window_);
  if (boundaries.size() < 2)
    return places;
  for (std::size_t call = boundaries[boundaries.size() - 2] + 1; call <= boundaries.back(); ++call)
    places.push_back(place_of_[window_.symbol(call)]);
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

/// A loop that the program has left goes on, as soon as one iteration of it is complete: what it is
/// need not be found out again, if it matters beside the main loop. It may be a part of the main
/// loop, unless that is at other places, or has been away for longer than an iteration. What was
/// soon over is no phase: it may be done between two iterations of the main loop now and then.
bool LoopFinder::comes_back() {
  constexpr double away = 1.5;
  constexpr std::size_t many = 8; // iterations
  constexpr double matters = 0.05;
  for (FormerLoop& former : former_) {
    if (!tokens_.is_at(former.loop.anchor))
      continue;
    const std::size_t last = window_.next() - 1;
    const std::size_t before = std::exchange(former.seen, last);
    if (before <= main_->last_call() || before < window_.first() || former.loop.iterations < many ||
        former.time < matters * (main_->last - main_->begin) ||
        (!is_stale(away) && common_places(former.loop, *main_) > 0))
      continue;
    effort_ = true;
    FoundLoop loop{.anchor = former.loop.anchor,
                   .exact = former.loop.exact,
                   .by_place = former.loop.by_place,
                   .boundaries = {before, last}};
    loop.count_boundaries(window_);
    loop.places = places_of(loop);
    if (!does_the_same(loop, former.loop, former.calls))
      continue;
    become_main(std::move(loop));
    return true;
  }
  return false;
}

/// Says whether another phase of the program begins with the loop, and which.
void LoopFinder::enter_phase(FoundLoop& candidate) {
  constexpr std::size_t most_former = 16;
  candidate.places = places_of(candidate);
  new_phase_ = goes_on_ = false;
  if (!main_)
    return;
  candidate.phase = main_->phase;
  new_phase_ = is_apart(candidate);
  goes_on_ = new_phase_ && does_the_same(candidate, *main_, calls_per_iteration_);
  if (!new_phase_ || goes_on_)
    return;
  const auto known = std::ranges::find_if(former_, [&](const FormerLoop& former) {
    return does_the_same(candidate, former.loop, former.calls);
  });
  candidate.phase = known != former_.end() ? known->loop.phase : phases_++;
  if (known != former_.end())
    former_.erase(known);
  else if (former_.size() == most_former)
    former_.erase(former_.begin());
  former_.push_back({.loop = *main_,
                     .calls = calls_per_iteration_,
                     .time = covered(*main_),
                     .seen = main_->last_call()});
  former_.back().loop.boundaries.clear();
}

} // namespace hypermile::runtime
