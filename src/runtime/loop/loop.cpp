#include "runtime/loop/loop.hpp"

namespace hypermile::runtime {
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
  stolen += next.stolen;
  return *this;
}

void Loop::count(const Span& iteration, bool fresh) {
  ++iterations;
  total += iteration;
  if (last.size() == most_last)
    last.erase(last.begin(), last.begin() + most_last / 2);
  last.push_back(
      {iteration.begin, iteration.computation_in_gear0, iteration.event, iteration.computation});
  if (!fresh)
    return;
  ++measured_iterations;
  measured += iteration;
  const double length = (iteration.computation + iteration.communication).value();
  squares += length * length;
}

void Loop::pass(const Span& together, std::size_t count) {
  iterations += count;
  total += together;
}

void Loop::measure_afresh() {
  measured_iterations = 0;
  measured = {};
  squares = 0;
}

} // namespace hypermile::runtime
