#include "trace/chrome.hpp"

#include "trace/call_facts.hpp"
#include "trace/power_steps.hpp"
#include "trace/ticks.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iterator>
#include <string>
#include <utility>

namespace hypermile::trace {
namespace {

using model::dependency::Schedule;

using Json = nlohmann::ordered_json;

constexpr double nanoseconds = 1e9;

/// Collects text, and passes it on when there is enough of it.
class Text {
public:
  explicit Text(const Sink& sink) : sink_(sink) {}

  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Arguments>(arguments)...);
  }
  /// The begin of an event, which add() completes.
  void next_event() {
    add("{}", first_ ? "\n" : ",\n");
    first_ = false;
    constexpr std::size_t enough = 1 << 16;
    if (buffer_.size() > enough)
      flush();
  }
  void flush() {
    sink_({buffer_.data(), buffer_.size()});
    buffer_.clear();
  }

private:
  const Sink& sink_;
  fmt::memory_buffer buffer_;
  bool first_ = true;
};

/// In microseconds.
std::string shown(std::int64_t ticks) {
  return fmt::format("{}.{:03}", ticks / 1000, ticks % 1000);
}

/// One run, with processes from a number on.
class RunWriter {
public:
  RunWriter(const TracedRun& run, const TraceHead& head, std::size_t first_process, bool alone,
            Text& text)
      : run_(run), ticks_(run, head.window, nanoseconds), first_(first_process), alone_(alone),
        text_(text) {}

  void write(const Progress& progress) {
    name_processes();
    std::size_t ranks = 0;
    for (std::size_t n = 0; n < run_.nodes.size(); ++n)
      for (const std::uint32_t rank : run_.nodes[n].ranks) {
        write_rank(n, rank);
        if (progress)
          progress(static_cast<double>(++ranks) /
                   static_cast<double>(run_.schedule.ranks.size() + 1));
      }
    write_gears();
    write_power();
  }

private:
  [[nodiscard]] std::size_t process(std::size_t node) const { return first_ + 1 + node; }

  void name(std::size_t process, const std::string& text) {
    const std::string whole = alone_ ? text : fmt::format("{}: {}", run_.label, text);
    text_.next_event();
    text_.add(R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":{}}}}})", process,
              Json(whole).dump());
    text_.next_event();
    text_.add(R"({{"ph":"M","name":"process_sort_index","pid":{},"args":{{"sort_index":{}}}}})",
              process, process);
  }

  void name_processes() {
    name(first_, "all nodes");
    for (std::size_t n = 0; n < run_.nodes.size(); ++n) {
      const TracedNode& node = run_.nodes[n];
      std::string gear = fmt::format("{} (gear {}", node.name, node.gear);
      if (!node.setting.empty())
        gear += ", " + node.setting;
      name(process(n), gear + ")");
      for (const std::uint32_t rank : node.ranks) {
        text_.next_event();
        text_.add(
            R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":"rank {}"}}}})",
            process(n), rank + 1, rank);
        text_.next_event();
        text_.add(
            R"({{"ph":"M","name":"thread_sort_index","pid":{},"tid":{},"args":{{"sort_index":{}}}}})",
            process(n), rank + 1, rank);
      }
    }
  }

  /// Nothing where it takes no time, unless it is a call, which is worth seeing all the same.
  void slice(std::size_t node, std::uint32_t rank, Seconds begin, Seconds end,
             std::string_view name, std::string_view category) {
    const std::int64_t from = ticks_.at(begin);
    text_.next_event();
    text_.add(R"({{"ph":"X","name":"{}","cat":"{}","ts":{},"dur":{},"pid":{},"tid":{})", name,
              category, shown(from), shown(ticks_.at(end) - from), process(node), rank + 1);
  }
  void plain_slice(std::size_t node, std::uint32_t rank, Seconds begin, Seconds end,
                   std::string_view name, std::string_view category) {
    if (ticks_.at(end) <= ticks_.at(begin))
      return;
    slice(node, rank, begin, end, name, category);
    text_.add("}}");
  }

  void call_slice(std::size_t node, std::uint32_t rank, const Schedule::Call& call) {
    if (!ticks_.touches(call.entered, call.left))
      return;
    const CallFacts facts = facts_of(call, run_.timeline->ranks[rank], run_.timeline->functions);
    slice(node, rank, call.entered, call.left, facts.name, "mpi");
    text_.add(R"(,"args":{{"bytes":{})", facts.bytes);
    if (facts.partner)
      text_.add(R"(,"with rank":{},"tag":{})", *facts.partner, *facts.tag);
    if (facts.messages > 1)
      text_.add(R"(,"messages":{})", facts.messages);
    if (facts.members)
      text_.add(R"(,"ranks":{})", *facts.members);
    text_.add("}}}}");
  }

  void write_rank(std::size_t node, std::uint32_t rank) {
    const Schedule::Rank& times = run_.schedule.ranks[rank];
    plain_slice(node, rank, run_.schedule.begin(), times.begin, "waiting", "waiting");
    Seconds now = times.begin;
    auto wait = times.waits.begin();
    for (const Schedule::Call& call : times.calls) {
      plain_slice(node, rank, now, call.entered, "computing", "computing");
      call_slice(node, rank, call);
      for (; wait != times.waits.end() && wait->begin < call.left; ++wait)
        plain_slice(node, rank, wait->begin, wait->end, "waiting", "waiting");
      now = call.left;
    }
    plain_slice(node, rank, now, times.end, "computing", "computing");
    plain_slice(node, rank, times.end, run_.schedule.end(), "waiting", "waiting");
  }

  void counter(std::size_t process, std::int64_t moment, std::string_view name,
               std::string_view unit, double value) {
    text_.next_event();
    text_.add(R"({{"ph":"C","name":"{}","ts":{},"pid":{},"args":{{"{}":{}}}}})", name,
              shown(moment), process, unit, value);
  }

  void write_gears() {
    for (std::size_t n = 0; n < run_.nodes.size(); ++n)
      for (const std::int64_t moment : {ticks_.from(), ticks_.to()})
        counter(process(n), moment, "gear", "gear", static_cast<double>(run_.nodes[n].gear));
  }

  /// 0 at the end: there is nothing more.
  void write_power() {
    visit_power(run_, ticks_,
                {.changed =
                     [&](std::int64_t moment, std::size_t node, Watts power) {
                       counter(process(node), moment, "power", "W", power.value());
                     },
                 .total =
                     [&](std::int64_t moment, Watts power) {
                       counter(first_, moment, "power of all nodes", "W", power.value());
                     }});
    for (std::size_t n = 0; n < run_.nodes.size(); ++n)
      counter(process(n), ticks_.to(), "power", "W", 0);
    counter(first_, ticks_.to(), "power of all nodes", "W", 0);
  }

  const TracedRun& run_;
  Ticks ticks_;
  std::size_t first_;
  bool alone_;
  Text& text_;
};

Json head_of(const TraceHead& head, std::span<const TracedRun> runs) {
  Json object{{"schema", "hypermile/trace/1"},
              {"program", head.program},
              {"platform", head.platform},
              {"from_s", head.window.from.value()},
              {"to_s", head.window.to ? Json(head.window.to->value()) : Json()}};
  for (const TracedRun& run : runs) {
    Json gears = Json::array();
    for (const TracedNode& node : run.nodes)
      gears.push_back(node.gear);
    object["runs"].push_back({{"label", run.label},
                              {"times", run.forecast ? "forecast" : "recorded"},
                              {"power", "of the platform"},
                              {"gears", gears},
                              {"time_s", run.time().value()},
                              {"energy_j", run.energy().value()}});
  }
  return object;
}

} // namespace

void write_chrome(const TraceHead& head, std::span<const TracedRun> runs, const Sink& sink,
                  const Progress& progress) {
  Text text(sink);
  text.add(R"({{"displayTimeUnit":"ms","otherData":{},"traceEvents":[)",
           head_of(head, runs).dump());
  std::size_t process = 1;
  std::size_t done = 0;
  for (const TracedRun& run : runs) {
    RunWriter(run, head, process, runs.size() == 1, text).write([&](double share) {
      if (progress)
        progress((static_cast<double>(done) + share) / static_cast<double>(runs.size()));
    });
    process += run.nodes.size() + 1;
    ++done;
  }
  text.add("\n]}}\n");
  text.flush();
}

std::uint64_t estimated_chrome_bytes(std::size_t calls) {
  constexpr std::uint64_t per_call = 280; // about two slices and two counters
  return per_call * calls;
}

} // namespace hypermile::trace
