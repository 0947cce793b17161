#include "io/timeline_text.hpp"
#include "io/timeline_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace hypermile::io {
namespace {

using model::Event;
using model::Operation;
using model::RankTimeline;

std::string name_of(const Operation& operation) {
  const std::string action(actions.at(static_cast<std::size_t>(operation.action)));
  return operation.from_any ? action + std::string(from_any) : action;
}

class Printer {
public:
  explicit Printer(const model::Timeline& timeline) : timeline_(timeline) {}

  std::string print() {
    line("{}\nranks {}", timeline_schema, timeline_.ranks.size());
    for (std::size_t rank = 0; rank < timeline_.ranks.size(); ++rank)
      print_rank(rank, timeline_.ranks[rank]);
    return fmt::to_string(out_);
  }

private:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
    out_.push_back('\n');
  }

  void print_rank(std::size_t number, const RankTimeline& rank) {
    line("rank {}", number);
    line("begin {}", rank.begin.value());
    line("computation after {}", rank.computation_after.value());
    print_scales(rank);
    print_sensitivity(rank);
    print_pauses(rank);
    std::string incomplete = rank.incomplete;
    std::ranges::replace(incomplete, '\n', ' ');
    line("{}{}", incomplete.empty() ? "complete" : "incomplete ", incomplete);
    line("operations {}", rank.operations.size());
    for (std::size_t i = 0; i < rank.operations.size(); ++i)
      print_operation(rank.operations[i], rank.before.empty() ? 0 : rank.before[i]);
    line("events {}", rank.events.size());
    for (const Event& event : rank.events)
      line("{} {} {} {} {}", event.operation, std::uint32_t{event.started},
           event.ends_call != 0 ? '1' : '0', event.computation, event.duration);
  }

  /// The first one; then each event from which on there is another, with that.
  void print_scales(const RankTimeline& rank) {
    std::string scales = fmt::format("scale {}", gear_scale_before(rank, 0));
    for (const auto& earlier : rank.earlier)
      fmt::format_to(std::back_inserter(scales), " {} {}", earlier.end,
                     gear_scale_before(rank, earlier.end));
    line("{}", scales);
  }

  /// A line where some computation reacts less than in full: all that the line does not name; then
  /// operations, each with what is meant before it.
  void print_sensitivity(const RankTimeline& rank) {
    const double otherwise = rank.sensitivity_otherwise;
    std::string text = fmt::format("sensitivity {}", otherwise);
    for (std::size_t i = 0; i < rank.sensitivity.size(); ++i)
      if (rank.sensitivity[i] != otherwise)
        fmt::format_to(std::back_inserter(text), " {} {}", i, rank.sensitivity[i]);
    if (otherwise != 1 || text.find(' ') != text.rfind(' '))
      line("{}", text);
  }

  /// A line where there were pauses: events, each with how long the pause before it took.
  void print_pauses(const RankTimeline& rank) {
    std::string text;
    for (const RankTimeline::Pause& pause : rank.pauses)
      fmt::format_to(std::back_inserter(text), " {} {}", pause.before, pause.length.value());
    if (!text.empty())
      line("pauses{}", text);
  }

  void print_operation(const Operation& operation, std::uint64_t before) {
    line("{} {} {} {} {} {} {} {} {}", name_of(operation),
         shapes.at(static_cast<std::size_t>(operation.shape)),
         timeline_.functions.at(operation.function), operation.partner, operation.tag,
         operation.members, operation.communicator, operation.bytes, before);
  }

  const model::Timeline& timeline_;
  fmt::memory_buffer out_;
};

} // namespace

std::string print_timeline(const model::Timeline& timeline) { return Printer(timeline).print(); }

} // namespace hypermile::io
