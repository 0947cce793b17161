#include "runtime/loop/loop_finder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hypermile::runtime {
namespace {

/// Beyond this many symbols without a loop the oldest are of no use: forget them.
constexpr std::size_t longest_stack = 8192;
/// How many earlier places of a call are tried as the end of the previous iteration.
constexpr int most_candidates = 16;
/// A program with more different loops than this has none that matters; bounds the memory.
constexpr std::size_t most_loops = 1024;

constexpr bool is_loop(std::uint32_t symbol) { return (symbol & 1U) != 0; }
constexpr std::uint32_t loop_symbol(LoopId id) { return id * 2 + 1; }
constexpr LoopId loop_of(std::uint32_t symbol) { return symbol / 2; }

} // namespace

Span& Span::operator+=(const Span& next) {
  if (end <= begin) {
    begin = next.begin;
    event = next.event;
    calls_before = next.calls_before;
    computation_before = next.computation_before;
  }
  end = next.end;
  computation += next.computation;
  computation_in_gear0 += next.computation_in_gear0;
  communication += next.communication;
  calls += next.calls;
  return *this;
}

void Loop::count(const Span& iteration, bool fresh) {
  ++iterations;
  total += iteration;
  if (last.size() == most_last)
    last.erase(last.begin(), last.begin() + most_last / 2);
  last.push_back({iteration.begin, iteration.computation_in_gear0, iteration.event});
  if (!fresh)
    return;
  ++measured_iterations;
  measured += iteration;
  const double length = (iteration.computation + iteration.communication).value();
  squares += length * length;
}

void Loop::measure_afresh() {
  measured_iterations = 0;
  measured = {};
  squares = 0;
}

LoopFinder::LoopFinder() { stack_.reserve(longest_stack); }

std::optional<LoopId> LoopFinder::add(CallSignature signature, const Span& span) {
  completed_.reset();
  const Symbol symbol = is_next(signature) ? next_symbol() : intern(signature);
  if (!frames_.empty()) {
    if (follows(symbol, span))
      return completed_;
    close();
  }
  push(symbol, span);
  if (!fold_known())
    fold_new();
  return completed_;
}

LoopFinder::Symbol LoopFinder::intern(CallSignature signature) {
  const auto next = static_cast<Symbol>(symbols_.size() * 2);
  const auto [known, is_new] = symbols_.try_emplace(signature, next);
  if (is_new)
    signatures_.push_back(signature);
  return known->second;
}

/// Whether it is the call that the open loop does next, which most are.
bool LoopFinder::is_next(CallSignature signature) const {
  if (frames_.empty())
    return false;
  const Symbol next = next_symbol();
  return !is_loop(next) && signatures_[next / 2] == signature;
}

LoopFinder::Symbol LoopFinder::next_symbol() const {
  const Frame& frame = frames_.back();
  return bodies_[frame.loop][frame.position];
}

/// True if the symbol is what the open loop does next; then it is accounted for.
bool LoopFinder::follows(Symbol symbol, const Span& span) {
  for (;;) {
    const Frame& frame = frames_.back();
    const Symbol expected = bodies_[frame.loop][frame.position];
    if (is_loop(expected)) {
      frames_.push_back({.loop = loop_of(expected), .visit = {}, .done = {}});
      continue;
    }
    if (expected == symbol)
      break;
    if (frames_.size() == 1 || frame.position > 0 || frame.iterations == 0)
      return false;
    leave_inner_loop();
  }
  Frame& frame = frames_.back();
  frame.done.push_back(span);
  if (++frame.position == bodies_[frame.loop].size())
    complete_iteration(frame);
  return true;
}

void LoopFinder::leave_inner_loop() {
  const Span visit = frames_.back().visit;
  frames_.pop_back();
  Frame& outer = frames_.back();
  outer.done.push_back(visit);
  ++outer.position; // never past the end: a body ends with a call
}

void LoopFinder::complete_iteration(Frame& frame) {
  Span iteration;
  for (const Span& span : frame.done)
    iteration += span;
  count_iteration(frame.loop, iteration, frame.fresh);
  frame.done.clear();
  frame.position = 0;
  frame.fresh = true;
  ++frame.iterations;
  frame.visit += iteration;
  if (frames_.size() == 1)
    stack_.back().span = frame.visit;
}

void LoopFinder::count_iteration(LoopId id, const Span& span, bool fresh) {
  loops_[id].count(span, fresh);
  completed_ = id;
}

/// Ends the open loop: what it had begun but not completed becomes symbols of their own.
void LoopFinder::close() {
  const std::vector<Frame> frames = std::exchange(frames_, {});
  for (std::size_t depth = 0; depth < frames.size(); ++depth) {
    const Frame& frame = frames[depth];
    if (depth > 0 && frame.iterations > 0)
      push(loop_symbol(frame.loop), frame.visit);
    for (std::size_t i = 0; i < frame.done.size(); ++i)
      push(bodies_[frame.loop][i], frame.done[i]);
    if (!frame.fresh)
      fresh_from_ = stack_.size();
  }
}

void LoopFinder::push(Symbol symbol, const Span& span) {
  if (stack_.size() == longest_stack) {
    stack_.clear();
    last_.clear();
    fresh_from_ = 0;
  }
  auto& last = last_[symbol];
  stack_.push_back({symbol, last, span});
  last = static_cast<std::uint32_t>(stack_.size());
}

void LoopFinder::pop(std::size_t count) {
  for (; count > 0; --count) {
    last_[stack_.back().symbol] = stack_.back().previous;
    stack_.pop_back();
  }
  fresh_from_ = std::min(fresh_from_, stack_.size());
}

Span LoopFinder::take(std::size_t count) {
  Span sum;
  for (std::size_t i = stack_.size() - count; i < stack_.size(); ++i)
    sum += stack_[i].span;
  pop(count);
  return sum;
}

/// The top symbol becomes the open loop; the same loop right below it is continued.
void LoopFinder::reopen(LoopId id) {
  const std::size_t size = stack_.size();
  if (size >= 2 && stack_[size - 2].symbol == stack_[size - 1].symbol) {
    const Span visit = take(2);
    push(loop_symbol(id), visit);
  }
  frames_.clear();
  frames_.push_back({.loop = id, .iterations = 1, .visit = stack_.back().span, .done = {}});
}

bool LoopFinder::fold_known() {
  const auto found = bodies_by_last_.find(stack_.back().symbol);
  if (found == bodies_by_last_.end())
    return false;
  for (const LoopId id : found->second) {
    const auto& body = bodies_[id];
    if (body.size() > stack_.size() ||
        !std::equal(body.rbegin(), body.rend(), stack_.rbegin(),
                    [](Symbol symbol, const Entry& entry) { return symbol == entry.symbol; }))
      continue;
    const bool fresh = stack_.size() - body.size() >= fresh_from_;
    const Span iteration = take(body.size());
    push(loop_symbol(id), iteration);
    count_iteration(id, iteration, fresh);
    reopen(id);
    return true;
  }
  return false;
}

bool LoopFinder::fold_new() {
  if (loops_.size() == most_loops)
    return false;
  const std::size_t size = stack_.size();
  auto earlier = stack_.back().previous;
  for (int tried = 0; earlier != 0 && tried < most_candidates; ++tried) {
    const std::size_t period = size - earlier;
    if (earlier < period)
      return false;
    const auto body = std::span(stack_).last(period);
    const auto before = std::span(stack_).subspan(earlier - period, period);
    if (std::ranges::equal(body, before, {}, &Entry::symbol, &Entry::symbol)) {
      fold_twice(create(body), period);
      return true;
    }
    earlier = stack_[earlier - 1].previous;
  }
  return false;
}

void LoopFinder::fold_twice(LoopId id, std::size_t period) {
  const std::size_t first_index = stack_.size() - 2 * period;
  const bool second_fresh = first_index + period >= fresh_from_;
  const bool first_fresh = first_index >= fresh_from_;
  const Span second = take(period);
  const Span first = take(period);
  count_iteration(id, first, first_fresh);
  count_iteration(id, second, second_fresh);
  push(loop_symbol(id), first);
  push(loop_symbol(id), second);
  reopen(id);
}

LoopId LoopFinder::create(std::span<const Entry> body) {
  const auto id = static_cast<LoopId>(loops_.size());
  loops_.emplace_back();
  auto& symbols = bodies_.emplace_back();
  for (const Entry& entry : body)
    symbols.push_back(entry.symbol);
  auto& peers = bodies_by_last_[symbols.back()];
  peers.push_back(id);
  std::ranges::stable_sort(peers, std::greater{}, [this](LoopId l) { return bodies_[l].size(); });
  return id;
}

void LoopFinder::measure_afresh() {
  for (Loop& loop : loops_)
    loop.measure_afresh();
  for (Frame& frame : frames_)
    frame.fresh = false;
  fresh_from_ = stack_.size();
}

bool LoopFinder::encloses(LoopId outer, LoopId inner) const {
  return std::ranges::any_of(bodies_[outer], [&](Symbol symbol) {
    return is_loop(symbol) && (loop_of(symbol) == inner || encloses(loop_of(symbol), inner));
  });
}

std::string LoopFinder::describe(LoopId id) const {
  std::string text;
  std::size_t calls = 0;
  const auto flush = [&] {
    if (calls > 0)
      text +=
          fmt::format("{}{} MPI call{}", text.empty() ? "" : " + ", calls, calls > 1 ? "s" : "");
    calls = 0;
  };
  for (const Symbol symbol : bodies_[id]) {
    if (!is_loop(symbol)) {
      ++calls;
      continue;
    }
    flush();
    text += fmt::format("{}loop of ({})", text.empty() ? "" : " + ", describe(loop_of(symbol)));
  }
  flush();
  return text;
}

} // namespace hypermile::runtime
