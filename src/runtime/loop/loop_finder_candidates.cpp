// Whether a candidate is a better main loop than the present one.

#include "runtime/loop/loop_finder.hpp"

#include <algorithm>
#include <vector>

namespace hypermile::runtime {

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

/// Whether the main loop was not repeated in each of its iterations.
bool LoopFinder::is_apart(const FoundLoop& candidate) const {
  const auto& of_main = main_->boundaries;
  const auto inside = std::ranges::upper_bound(of_main, candidate.last_call()) -
                      std::ranges::lower_bound(of_main, candidate.first_call);
  return static_cast<std::size_t>(inside) < candidate.iterations;
}

/// Whether the calls of its last iteration are at much the same places as those of the main loop's.
bool LoopFinder::does_the_same(const FoundLoop& candidate) const {
  constexpr double same_places = 0.75;
  const auto of_main = main_->boundaries_in(window_);
  const auto of_candidate = candidate.boundaries_in(window_);
  if (of_main.size() < 2 || of_candidate.size() < 2)
    return false;
  const double ratio = static_cast<double>(candidate.calls()) / calls_per_iteration_;
  if (ratio > much_longer || ratio * much_longer < 1)
    return false;
  std::vector<int> seen(places_.bound());
  const auto see = [&](std::span<const std::size_t> boundaries, int mark) {
    for (std::size_t call = boundaries[boundaries.size() - 2] + 1; call <= boundaries.back();
         ++call)
      seen[place_of_[window_.symbol(call)]] |= mark;
  };
  see(of_main, 1);
  see(of_candidate, 2);
  const auto in_both = std::ranges::count(seen, 3);
  const auto in_one = std::ssize(seen) - std::ranges::count(seen, 0);
  return static_cast<double>(in_both) >= same_places * static_cast<double>(in_one);
}

} // namespace hypermile::runtime
