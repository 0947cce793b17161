#include "runtime/loop/loop_finder.hpp"

#include "runtime/loop/description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace hypermile::runtime {
namespace {

// What may be looked at, in calls: to begin with, and per call and second.
constexpr double first_credit = 1 << 18;
constexpr double credit_per_call = 1;
constexpr double credit_per_second = 2e5;
constexpr double most_credit = 1 << 20;

/// More different calls than these are not remembered: a table of them is out of the cache.
constexpr std::size_t most_symbols = 1 << 15;

constexpr std::size_t long_while = 16; ///< a gap is, if it is this part of all
constexpr double over = 8;             ///< iterations without a boundary

constexpr double enough_presence = 0.6;
constexpr double enough_order = 0.75;
// Around a loop that goes on, where sizes of messages that come back by chance look like another:
constexpr double enough_order_around = 0.9;
constexpr double two_change_places = 2;
constexpr std::size_t least_compared = 64; ///< calls, where there is no credit

} // namespace

LoopFinder::LoopFinder() : credit_(first_credit) {
  for (const Grain grain : all_grains)
    recurrences_.emplace_back(grain);
}

void LoopFinder::intern(CallSignature detail, CallSignature place, const Span& span) {
  if (window_.is_full() || calls_.count() > most_symbols)
    forget();
  const Symbol call = number(detail, place);
  tokens_.add(call, place_of_[call]);
  if (window_.next() == 1)
    begin_ = span.begin.value();
  const double before = window_.next() == 1 ? begin_ : window_.now();
  window_.add(call, span);
  longest_ = std::max(longest_, window_.now() - before);
  credit_ = std::min(credit_ + credit_per_call + credit_per_second * (window_.now() - before),
                     most_credit);
}

void LoopFinder::add_to_last(const Span& span) {
  const double before = window_.now();
  window_.add_to_last(span);
  longest_ = std::max(longest_, window_.now() - before);
}

Symbol LoopFinder::number(CallSignature detail, CallSignature place) {
  const auto [call, is_new] = calls_.number(detail);
  if (!is_new)
    return call;
  if (call >= place_of_.size())
    place_of_.resize(call + std::size_t{1});
  const Symbol from = places_.number(place).symbol;
  if (from >= calls_of_place_.size())
    calls_of_place_.resize(from + std::size_t{1});
  place_of_[call] = from;
  ++calls_of_place_[from];
  return call;
}

/// The older half of the window, and the symbols that are no longer in it.
void LoopFinder::forget() {
  effort_ = true;
  catch_up(window_.next());
  displaced_.reset();
  window_.forget_older_half();
  std::vector<bool> keep(calls_.bound());
  std::vector<bool> keep_places(places_.bound());
  calls_of_place_.assign(places_.bound(), 0);
  const auto keep_call = [&](Symbol call) {
    calls_of_place_[place_of_[call]] += keep[call] ? 0 : 1;
    keep[call] = true;
    keep_places[place_of_[call]] = true;
  };
  for (const Symbol call : window_.symbols())
    keep_call(call);
  // Former loops whose anchors are of more calls than one are not known again.
  std::erase_if(former_, [](const FormerLoop& former) {
    return former.loop.anchor.grain == Grain::pair || former.loop.anchor.grain == Grain::sixteen;
  });
  const auto keep_loop = [&](const FoundLoop& loop) {
    if (loop.anchor.grain == Grain::call)
      keep_call(static_cast<Symbol>(loop.anchor.value));
    for (const Symbol place : loop.places)
      keep_places[place] = true;
  };
  if (main_)
    keep_loop(*main_);
  for (const FormerLoop& former : former_)
    keep_loop(former.loop);
  calls_.forget_all_but(keep);
  places_.forget_all_but(keep_places);
  recurrences_[static_cast<std::size_t>(Grain::call)].forget(keep);
  recurrences_[static_cast<std::size_t>(Grain::place)].forget(keep_places);
  if (main_) {
    auto& boundaries = main_->boundaries;
    const auto gone = std::ranges::lower_bound(boundaries, window_.first() - 1);
    boundaries.erase(boundaries.begin(), std::min(gone, boundaries.end() - 1));
  }
}

LoopFinder::Step LoopFinder::add(CallSignature detail, CallSignature place, const Span& span) {
  intern(detail, place, span);
  const bool iteration = main_ && follow(window_.symbols().back());
  const bool restarted = iteration && restart();
  const bool another = gives_way() || comes_back();
  if (search() || another || restarted) // every call is to be searched
    return Step::other_loop;
  return iteration ? Step::iteration : Step::none;
}

/// True at the end of an iteration of the main loop.
bool LoopFinder::follow(Symbol call) {
  hash_ = hash_ * 0x100000001b3ULL + call + 1;
  if (equal_ > 0 &&
      (period_ >= window_.symbols().size() || window_.symbol(window_.next() - 1 - period_) != call))
    equal_ = 0; // at once: what tells the outer loop may be here only
  if (!tokens_.is_at(main_->anchor))
    return false;
  equal_ = hash_ == last_hash_ ? equal_ + 1 : 0;
  last_hash_ = std::exchange(hash_, 0);
  period_ = window_.next() - 1 - main_->last_call();
  main_->add_boundary(window_);
  longest_ = 0;
  remember_means();
  if (main_->iterations >= check_at_)
    check_main();
  return true;
}

/// Where the next two iterations have far more calls, or far fewer, than those that were equal when
/// the loop was found, these were none. True if they are forgotten.
bool LoopFinder::restart() {
  if (!main_->exact || main_->iterations != found_iterations_ + 2)
    return false;
  found_iterations_ = 0; // once
  auto recent = main_->boundaries_in(window_);
  if (recent.size() < 3)
    return false;
  recent = recent.last(3);
  const auto is_unlike = [&](std::size_t i) {
    const double ratio = static_cast<double>(recent[i] - recent[i - 1]) / found_calls_;
    return ratio > much_longer || ratio * much_longer < 1;
  };
  if (!is_unlike(1) || !is_unlike(2))
    return false;
  new_phase_ = goes_on_ = false;
  main_->boundaries = std::vector(recent.begin(), recent.end());
  main_->count_boundaries(window_);
  remember_means();
  return true;
}

/// They are asked for at each call.
void LoopFinder::remember_means() {
  length_ = main_->length();
  calls_per_iteration_ = static_cast<double>(main_->calls());
}

/// Whether its iterations resemble each other: where they are of two kinds in turn, two and two.
void LoopFinder::check_main() {
  check_at_ = main_->iterations * 2;
  if (equal_ > 0) {
    unlike_ = 0;
    return;
  }
  const auto is_unlike = [](const Resemblance& alike) {
    return alike.presence < 0.4 || alike.order < 0.65;
  };
  const bool unlike =
      is_unlike(resemblance(*main_, true)) && is_unlike(resemblance(*main_, true, 2));
  unlike_ = unlike ? unlike_ + 1 : 0;
  if (unlike)
    check_at_ = main_->iterations + 4;
}

bool LoopFinder::is_stale(double lengths) const {
  return window_.now() - main_->last - longest_ > lengths * length_;
}

bool LoopFinder::is_alive() const { return main_ && !is_stale(over); }

/// Whether something that was not there for so many calls may be an outer loop's.
bool LoopFinder::is_long(std::size_t gap) const {
  const std::size_t next = window_.next();
  if (gap == 0 || gap >= next - window_.first())
    return false;
  const double passed = window_.now() - window_.end(next - 1 - gap);
  if (!main_ || is_stale(2)) { // what counts is what came after it
    const std::size_t since = next - (main_ ? main_->last_call() : 0);
    return gap * long_while >= since ||
           passed * long_while >= window_.now() - (main_ ? main_->last : begin_);
  }
  if (static_cast<double>(gap) <= much_longer * calls_per_iteration_ &&
      passed <= much_longer * length_)
    return false;
  return gap * long_while >= next || passed * long_while >= window_.now() - begin_;
}

/// While the calls repeat with a period that is no longer than that of the main loop, no token has
/// been away for longer.
bool LoopFinder::goes_on_steadily() const {
  const std::size_t next = window_.next();
  return window_.symbols().back() == window_.symbol(next - 1 - steady_) && main_ && !is_stale(2) &&
         static_cast<double>(steady_) <= much_longer * calls_per_iteration_ &&
         window_.now() - window_.end(next - 1 - steady_) <= much_longer * length_;
}

/// All calls of a period have the same gap, where each is there once in it. Where some are there
/// more often, the period may be followed as that of a loop.
void LoopFinder::note_gap(std::size_t gap) {
  constexpr std::size_t longest = 1 << 14; // catching up takes a millisecond
  constexpr std::size_t between_looks = 64;
  gap_run_ = gap == gap_ ? gap_run_ + 1 : 1;
  gap_ = gap;
  if (gap > 0 && gap_run_ >= 2 * gap + longest_token)
    steady_ = gap;
  else if (window_.next() % between_looks == 0)
    steady_ = periods_.steady_period();
  if (steady_ > longest)
    steady_ = 0;
}

/// With all calls before `end`. What counts of a token is when it was there last, and the time
/// before: two periods say that.
void LoopFinder::catch_up(std::size_t end) {
  if (unvisited_ == 0)
    return;
  const std::size_t first = end - std::min(std::exchange(unvisited_, 0), 2 * steady_);
  TokenStream tokens;
  const std::size_t before = std::min(first - window_.first(), longest_token);
  for (std::size_t call = first - before; call < end; ++call) {
    const Symbol symbol = window_.symbol(call);
    tokens.add(symbol, place_of_[symbol]);
    for (const Grain grain : all_grains)
      if (call >= first && says_more(grain, symbol))
        static_cast<void>(
            recurrences_[static_cast<std::size_t>(grain)].visit(tokens.value(grain), call));
  }
}

/// True if another loop has become the main one.
bool LoopFinder::search() {
  const auto run = periods_.extend(window_);
  bool found = run && repeated(*run);
  if (steady_ > 0 && !found && goes_on_steadily()) {
    ++unvisited_;
    return false;
  }
  if (steady_ > 0) {
    catch_up(window_.next() - 1);
    steady_ = 0;
  }
  const Symbol call = window_.symbols().back();
  for (const Grain grain : all_grains) {
    if (!says_more(grain, call))
      continue;
    const auto gaps = recurrences_[static_cast<std::size_t>(grain)].visit(tokens_.value(grain),
                                                                          window_.next() - 1);
    if (grain == Grain::call)
      note_gap(gaps.last);
    if (found || gaps.last == 0 || !is_long(gaps.last))
      continue;
    if (equal_ >= 2) {
      if (grain != Grain::call)
        continue;
      equal_ = 0;
    }
    found = propose(grain, gaps.last) || returned(grain, gaps);
  }
  return found;
}

bool LoopFinder::propose(Grain grain, std::size_t period) {
  if (is_of_places(grain))
    return false;
  const PeriodicRun run = periods_.propose(window_, {grain, tokens_.value(grain)}, period,
                                           credit_ > 0 ? period : least_compared);
  credit_ -= static_cast<double>(run.matched) / 8;
  effort_ = effort_ || run.matched >= least_compared;
  return run.period > 0 && run.matched >= period && repeated(run);
}

/// The last calls equal those before them.
bool LoopFinder::repeated(const PeriodicRun& run) {
  const std::size_t next = window_.next();
  const double length = window_.now() - window_.end(next - 1 - run.period);
  if (is_alive() && length < 0.6 * length_)
    return false;
  effort_ = true;
  FoundLoop candidate = exact_loop(window_, place_of_, run);
  if (candidate.iterations == 0 || !takes_over(candidate))
    return false;
  const std::size_t trial_end = main_ && is_chance(candidate) ? next + run.period : 0;
  displace(std::move(candidate), trial_end);
  return true;
}

/// A token is back for the second time.
bool LoopFinder::returned(Grain grain, const Recurrences::Gaps& gaps) {
  if (grain == Grain::sixteen || gaps.before == 0 || credit_ < 0 || window_.next() < look_from_)
    return false;
  const auto [shorter, longer] = std::minmax(gaps.last, gaps.before);
  if (longer > 10 * shorter)
    return false;
  const bool by_place = is_of_places(grain);
  const bool alive = is_alive();
  if (by_place && alive && !main_->by_place)
    return false;
  const std::size_t next = window_.next();
  const std::size_t calls = std::size_t{gaps.last} + gaps.before;
  if (calls >= next - window_.first())
    return false;
  const double length = (window_.now() - window_.end(next - 1 - calls)) / 2;
  if (alive && length <= much_longer * length_)
    return false;
  effort_ = true;
  FoundLoop candidate = loop_between(window_, place_of_, {grain, tokens_.value(grain)});
  credit_ -= static_cast<double>(window_.symbols().size()) / 4;
  candidate.by_place = by_place;
  if (candidate.iterations < (by_place ? 3U : 2U) || !takes_over(candidate))
    return false;
  const Resemblance alike = resemblance(candidate, by_place);
  const bool is_ordered =
      alike.order >= enough_order_around ||
      (alike.order >= enough_order && (!alive || alike.disorder <= two_change_places));
  if (alike.presence < enough_presence || !is_ordered || is_now_and_then(candidate, alike)) {
    look_from_ = next + gaps.last / 16;
    return false;
  }
  prefer_place(candidate, window_, place_of_, std::array{Grain::place});
  displace(std::move(candidate), 0);
  return true;
}

Resemblance LoopFinder::resemblance(const FoundLoop& loop, bool by_place, std::size_t together) {
  effort_ = true;
  auto last = loop.boundaries_in(window_);
  if (last.size() < 2)
    return {};
  last = last.last(std::min(last.size(), compared * together + 1));
  std::vector<std::size_t> boundaries;
  for (std::size_t i = (last.size() - 1) % together; i < last.size(); i += together)
    boundaries.push_back(last[i]);
  credit_ -= static_cast<double>(last.back() - last.front());
  return compare_(window_, boundaries,
                  by_place ? std::span<const Symbol>(place_of_) : std::span<const Symbol>{});
}

std::uint64_t LoopFinder::hash(std::size_t from, std::size_t to) const {
  std::uint64_t sum = 0;
  for (std::size_t call = from; call < to; ++call)
    sum = sum * 0x100000001b3ULL + window_.symbol(call) + 1;
  return sum;
}

void LoopFinder::become_main(FoundLoop candidate) {
  enter_phase(candidate);
  install(std::move(candidate));
}

/// Of the phase that was entered.
void LoopFinder::install(FoundLoop loop) {
  effort_ = true;
  displaced_.reset();
  main_ = std::move(loop);
  if (goes_on_)
    prefer_place(*main_, window_, place_of_, std::array{Grain::place, Grain::place_pair});
  remember_means();
  const auto& boundaries = main_->boundaries;
  last_hash_ = hash(boundaries[boundaries.size() - 2] + 1, boundaries.back() + 1);
  hash_ = hash(main_->last_call() + 1, window_.next());
  longest_ = 0;
  found_iterations_ = main_->iterations;
  found_calls_ = calls_per_iteration_;
  equal_ = unlike_ = 0;
  period_ = 0;
  check_at_ = std::max<std::size_t>(8, main_->iterations * 2);
}

std::string LoopFinder::describe() const {
  const auto boundaries = main_->boundaries_in(window_);
  if (boundaries.size() < 2)
    return fmt::format("{} MPI calls", main_->calls());
  const std::size_t first = boundaries[boundaries.size() - 2] + 1;
  return describe_iteration(
      std::span(window_.symbols()).subspan(first - window_.first(), boundaries.back() + 1 - first));
}

} // namespace hypermile::runtime
