#include "support/random_timeline.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hypermile::test {
namespace {

using model::Action;
using model::Operation;
using model::Shape;

constexpr double tick = 1.0 / (1 << 18);
constexpr std::uint64_t sizes[] = {1024, 8192, 131072};

enum Function : std::uint16_t { send, recv, sendrecv, isend, irecv, wait, waitall, collective };

/// Writes the calls of a program rank by rank.
class Writer {
public:
  Writer(Program& program, std::size_t ranks) : program_(program), pending_(ranks, 0) {
    program_.timeline.functions = {"Send",  "Recv", "Sendrecv", "Isend",
                                   "Irecv", "Wait", "Waitall",  "Collective"};
    program_.timeline.ranks.resize(ranks);
    program_.iterations.resize(ranks);
  }
  [[nodiscard]] std::size_t ranks() const { return pending_.size(); }
  void begin_iteration() {
    for (std::size_t r = 0; r < ranks(); ++r)
      program_.iterations[r].push_back(
          static_cast<std::uint32_t>(program_.timeline.ranks[r].events.size()));
  }
  void compute(std::size_t rank, double seconds) {
    pending_[rank] += std::max(1.0, std::round(seconds / tick)) * tick;
  }
  /// Returns the index of the event.
  std::size_t start(std::size_t rank, Function function, Action action, std::size_t partner,
                    std::uint64_t bytes) {
    return add(rank, {.action = action,
                      .function = function,
                      .partner = static_cast<std::int32_t>(partner),
                      .bytes = bytes});
  }
  void complete(std::size_t rank, Function function, const std::vector<std::size_t>& started) {
    auto& events = program_.timeline.ranks[rank].events;
    for (const std::size_t s : started) {
      const std::size_t e = add(rank, {.action = Action::complete, .function = function});
      events[e].started = static_cast<std::uint32_t>(e - s) & 0x7fffffffU;
    }
    end_call(rank);
  }
  void end_call(std::size_t rank) { program_.timeline.ranks[rank].events.back().ends_call = 1; }
  void join(Shape shape, std::size_t root) {
    for (std::size_t r = 0; r < ranks(); ++r) {
      const bool rooted = shape == Shape::from_root || shape == Shape::to_root;
      const std::size_t e = add(r, {.action = Action::arrive,
                                    .shape = shape,
                                    .function = Function::collective,
                                    .partner = rooted ? static_cast<std::int32_t>(root) : -1,
                                    .members = static_cast<std::uint32_t>(ranks())});
      complete(r, Function::collective, {e});
    }
  }
  void finish() {
    for (std::size_t r = 0; r < ranks(); ++r)
      program_.timeline.ranks[r].computation_after = Seconds{pending_[r]};
  }

private:
  std::size_t add(std::size_t rank, const Operation& operation) {
    model::RankTimeline& timeline = program_.timeline.ranks[rank];
    const auto found = std::ranges::find(timeline.operations, operation);
    const auto index = static_cast<std::uint32_t>(found - timeline.operations.begin());
    if (found == timeline.operations.end())
      timeline.operations.push_back(operation);
    timeline.events.push_back(
        {.operation = index,
         .computation = static_cast<float>(std::exchange(pending_[rank], 0.0))});
    return timeline.events.size() - 1;
  }

  Program& program_;
  std::vector<double> pending_;
};

/// One exchange of every size between each pair of neighbours, the receiver early: whoever looks
/// at the recording can see what a message takes.
void write_preamble(Writer& writer) {
  for (const std::uint64_t bytes : sizes)
    for (std::size_t r = 0; r < writer.ranks(); ++r) {
      const std::size_t to = (r + 1) % writer.ranks();
      writer.compute(r, 0.001);
      writer.complete(r, send, {writer.start(r, send, Action::send, to, bytes)});
      writer.complete(to, recv, {writer.start(to, recv, Action::receive, r, bytes)});
    }
}

class PatternWriter {
public:
  /// `work`: by rank, computation between exchanges, s.
  PatternWriter(Writer& writer, const std::vector<double>& work, std::uint64_t bytes,
                std::size_t root)
      : writer_(writer), work_(work), bytes_(bytes), root_(root) {}

  void write(Pattern pattern) {
    switch (pattern) {
    case Pattern::ring:
      return for_each_rank(&PatternWriter::ring);
    case Pattern::halo:
      return for_each_rank(&PatternWriter::halo);
    case Pattern::overlap:
      return for_each_rank(&PatternWriter::overlap);
    case Pattern::wavefront:
      return for_each_rank(&PatternWriter::wavefront);
    case Pattern::collective:
      return join({Shape::all});
    case Pattern::rooted:
      return join({Shape::from_root, Shape::to_root});
    case Pattern::scan:
      return join({Shape::scan});
    }
  }

private:
  void for_each_rank(void (PatternWriter::*write_rank)(std::size_t)) {
    for (std::size_t r = 0; r < writer_.ranks(); ++r)
      (this->*write_rank)(r);
  }
  [[nodiscard]] std::size_t next(std::size_t r) const { return (r + 1) % writer_.ranks(); }
  [[nodiscard]] std::size_t previous(std::size_t r) const {
    return (r + writer_.ranks() - 1) % writer_.ranks();
  }
  void ring(std::size_t r) {
    writer_.compute(r, work_[r]);
    const std::size_t in = writer_.start(r, sendrecv, Action::receive, previous(r), bytes_);
    const std::size_t out = writer_.start(r, sendrecv, Action::send, next(r), bytes_);
    writer_.complete(r, sendrecv, {in, out});
  }
  std::vector<std::size_t> start_exchange(std::size_t r) {
    std::vector<std::size_t> started;
    for (const std::size_t from : {previous(r), next(r)}) {
      started.push_back(writer_.start(r, irecv, Action::receive, from, bytes_));
      writer_.end_call(r);
    }
    for (const std::size_t to : {next(r), previous(r)}) {
      started.push_back(writer_.start(r, isend, Action::send, to, bytes_));
      writer_.end_call(r);
    }
    return started;
  }
  void halo(std::size_t r) {
    writer_.compute(r, work_[r] / 2);
    const auto started = start_exchange(r);
    writer_.compute(r, work_[r] / 2);
    writer_.complete(r, waitall, started);
  }
  void overlap(std::size_t r) {
    writer_.compute(r, work_[r] / 4);
    for (const std::size_t started : start_exchange(r)) {
      writer_.compute(r, work_[r] / 4);
      writer_.complete(r, wait, {started});
    }
  }
  void wavefront(std::size_t r) {
    if (r > 0)
      writer_.complete(r, recv, {writer_.start(r, recv, Action::receive, r - 1, bytes_)});
    writer_.compute(r, work_[r]);
    if (r + 1 < writer_.ranks())
      writer_.complete(r, send, {writer_.start(r, send, Action::send, r + 1, bytes_)});
  }
  void join(std::initializer_list<Shape> shapes) {
    for (const Shape shape : shapes) {
      for (std::size_t r = 0; r < writer_.ranks(); ++r)
        writer_.compute(r, work_[r]);
      writer_.join(shape, root_);
    }
  }

  Writer& writer_;
  const std::vector<double>& work_;
  std::uint64_t bytes_;
  std::size_t root_;
};

/// Where two ranks are neighbours on both sides their messages need an order; three do not.
constexpr std::size_t fewest_ranks = 3;

} // namespace

Program RandomTimeline::make(std::size_t ranks, std::size_t iterations,
                             const std::vector<Pattern>& patterns,
                             const model::dependency::Protocol& protocol) {
  Program program;
  program.protocol = protocol;
  Writer writer(program, std::max(ranks, fewest_ranks));
  if (preamble_)
    write_preamble(writer);
  std::vector<std::vector<double>> typical;
  std::vector<std::uint64_t> bytes;
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    bytes.push_back(sizes[integer(0, 2)]);
    typical.emplace_back();
    for (std::size_t r = 0; r < writer.ranks(); ++r)
      typical.back().push_back(uniform(0.0005, 0.004));
  }
  const std::size_t root = integer(0, writer.ranks() - 1);
  for (std::size_t i = 0; i < iterations; ++i) {
    writer.begin_iteration();
    for (std::size_t p = 0; p < patterns.size(); ++p) {
      std::vector<double> work = typical[p];
      for (double& w : work)
        w *= 1 + uniform(-noise_, noise_);
      PatternWriter(writer, work, bytes[p], root).write(patterns[p]);
    }
  }
  for (std::size_t r = 0; r < writer.ranks(); ++r)
    writer.compute(r, uniform(0, 0.002));
  writer.finish();
  return program;
}

Program RandomTimeline::make(std::size_t ranks, std::size_t iterations) {
  std::vector<Pattern> patterns;
  for (std::size_t left = integer(1, 4); left > 0; --left)
    patterns.push_back(static_cast<Pattern>(integer(0, 6)));
  model::dependency::Protocol protocol;
  protocol.synchronous_from = integer(0, 1) == 0 ? 65536 : 4096;
  protocol.starts_at_receive = integer(0, 1) == 0;
  return make(ranks, iterations, patterns, protocol);
}

} // namespace hypermile::test
