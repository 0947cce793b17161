#include "replay/recorded_run.hpp"

#include "io/text_file.hpp"
#include "replay/compressed.hpp"
#include "runtime/exchange/timeline_message.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <span>
#include <string_view>

namespace hypermile::model {

template <class Archive, runtime::Of<Arguments::Blocks> T> void fields(Archive& archive, T& b) {
  archive(b.element, b.counts);
}
template <class Archive, runtime::Of<Arguments> T> void fields(Archive& archive, T& a) {
  archive(a.in_place, a.out, a.in, a.made, a.members);
}

} // namespace hypermile::model

namespace hypermile::replay {

template <class Archive, runtime::Of<RunHead> T> void fields(Archive& archive, T& head) {
  archive(head.program, head.platform, head.nodes, head.speeds, head.functions);
}

namespace {

constexpr std::string_view run_schema = "hypermile/recorded-run/1\n";

/// What a message about the rank's timeline leaves out: by operation.
struct Calls {
  std::vector<std::uint32_t> sites;
  std::vector<std::uint32_t> details;
  std::vector<std::uint32_t> arguments;
};

template <class Archive, runtime::Of<Calls> T> void fields(Archive& archive, T& calls) {
  archive(calls.sites, calls.details, calls.arguments);
}

[[noreturn]] void reject(const std::string& file, const std::string& what) {
  throw Error(ErrorKind::config, fmt::format("{}: {}", file, what), "hypermile record");
}

/// Each part of the file: its length, and that many compressed bytes.
void append(std::string& file, runtime::Writer& writer) {
  const auto bytes = writer.take();
  const std::string part = compressed({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  for (unsigned shift = 0; shift < 64; shift += 8)
    file.push_back(static_cast<char>(std::uint64_t{part.size()} >> shift));
  file += part;
}

std::string next_part(std::string_view& rest, const std::string& file) {
  constexpr std::size_t digits = 8;
  if (rest.size() < digits)
    reject(file, "is cut off");
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < digits; ++i)
    length |= std::uint64_t{static_cast<unsigned char>(rest[i])} << (8 * i);
  rest.remove_prefix(digits);
  if (rest.size() < length)
    reject(file, "is cut off");
  auto part = decompressed(rest.substr(0, length));
  rest.remove_prefix(length);
  if (!part)
    reject(file, "is damaged");
  return *std::move(part);
}

/// The whole of a part, as `values`.
template <class... Values>
void read_part(std::string_view& rest, const std::string& file, Values&... values) {
  const std::string part = next_part(rest, file);
  runtime::Reader reader({reinterpret_cast<const std::uint8_t*>(part.data()), part.size()});
  reader(values...);
  if (!reader.at_end())
    reject(file, "has more than it should have");
}

/// Times follow from the work, and from the repetition; only what lets time pass has its own.
model::RankTimeline without_times(model::RankTimeline rank, const std::vector<bool>& sleeps) {
  for (model::Event& event : rank.events) {
    event.computation = 0;
    if (!sleeps[rank.operations[event.operation].function])
      event.duration = 0;
  }
  rank.computation_after = {};
  return rank;
}

/// Throws Error{config} unless there is one for each call, and one for what comes after.
void take_work(model::RankTimeline& rank, const std::vector<std::uint64_t>& work, Speed speed,
               const std::string& file) {
  const auto calls = std::ranges::count(
      rank.events, 1U, [](const model::Event& event) { return std::uint32_t{event.ends_call}; });
  const bool ends_with_call = rank.events.empty() || rank.events.back().ends_call == 1;
  if (!ends_with_call || work.size() != static_cast<std::size_t>(calls) + 1)
    reject(file, "does not say for each call what was computed before it");
  std::size_t call = 0;
  bool begins = true;
  for (model::Event& event : rank.events) {
    if (begins)
      event.computation =
          static_cast<float>((Work{static_cast<double>(work[call++])} / speed).value());
    begins = event.ends_call == 1;
  }
  for (const std::uint64_t computed : work)
    rank.work.emplace_back(static_cast<double>(computed));
  rank.computation_after = rank.work.back() / speed;
}

model::RankTimeline read_rank(std::string_view& rest, Speed speed, const std::string& file) {
  model::RankTimeline rank;
  Calls calls;
  std::vector<model::Arguments> arguments;
  std::vector<std::uint64_t> work;
  read_part(rest, file, rank, calls, arguments, work);
  const std::size_t operations = rank.operations.size();
  if (calls.sites.size() != operations || calls.details.size() != operations ||
      calls.arguments.size() != operations)
    reject(file, "has operations without their calls");
  for (std::size_t i = 0; i < rank.operations.size(); ++i) {
    if (calls.arguments[i] > arguments.size())
      reject(file, "has a call without its arguments");
    rank.operations[i].site = calls.sites[i];
    rank.operations[i].detail = calls.details[i];
    rank.operations[i].arguments = calls.arguments[i];
  }
  rank.arguments = std::move(arguments);
  take_work(rank, work, speed, file);
  return rank;
}

bool is_rank(std::int32_t partner, std::size_t ranks) {
  return partner >= -1 && (partner < 0 || static_cast<std::size_t>(partner) < ranks);
}

/// What the parts cannot tell one by one.
void check(const RecordedRun& run, const std::string& file) {
  const std::size_t ranks = run.timeline.ranks.size();
  for (const model::RankTimeline& rank : run.timeline.ranks) {
    for (const model::Operation& operation : rank.operations)
      if (operation.function >= run.timeline.functions.size() || !is_rank(operation.partner, ranks))
        reject(file, "has an operation that makes no sense");
    for (const model::Arguments& arguments : rank.arguments)
      for (const std::uint32_t member : arguments.members)
        if (member >= ranks)
          reject(file, "has a communicator with a rank that there is not");
  }
}

RecordedRun parse(std::string_view bytes, const std::string& file) {
  if (!bytes.starts_with(run_schema))
    reject(file, "is no recorded run of this version of hypermile (hypermile/recorded-run/1)");
  bytes.remove_prefix(run_schema.size());
  RunHead head;
  read_part(bytes, file, head);
  if (head.nodes.empty() || head.speeds.size() != head.nodes.size())
    reject(file, "is of no run");
  for (const Speed speed : head.speeds)
    if (!(speed > Speed{}))
      reject(file, "has a node without speed");
  RecordedRun run{.program = std::move(head.program),
                  .platform = std::move(head.platform),
                  .nodes = std::move(head.nodes),
                  .speeds = std::move(head.speeds),
                  .timeline = {.functions = std::move(head.functions), .ranks = {}}};
  for (std::size_t rank = 0; rank < run.nodes.size(); ++rank)
    run.timeline.ranks.push_back(read_rank(bytes, run.speeds[rank], file));
  if (!bytes.empty())
    reject(file, "is longer than it should be");
  check(run, file);
  return run;
}

} // namespace

std::string print_head(const RunHead& head) {
  std::string file(run_schema);
  runtime::Writer writer;
  writer(head);
  append(file, writer);
  return file;
}

std::string print_rank(const model::RankTimeline& rank, const std::vector<std::string>& functions) {
  std::vector<bool> sleeps;
  for (const std::string& function : functions)
    sleeps.push_back(function == "Sleep");
  Calls calls;
  for (const model::Operation& operation : rank.operations) {
    calls.sites.push_back(operation.site);
    calls.details.push_back(operation.detail);
    calls.arguments.push_back(operation.arguments);
  }
  std::vector<std::uint64_t> work;
  for (const Work computed : rank.work)
    work.push_back(static_cast<std::uint64_t>(std::llround(computed.value())));
  runtime::Writer writer;
  writer(without_times(rank, sleeps), calls, rank.arguments, work);
  std::string part;
  append(part, writer);
  return part;
}

std::string print_recorded_run(const RecordedRun& run) {
  std::string file = print_head({.program = run.program,
                                 .platform = run.platform,
                                 .nodes = run.nodes,
                                 .speeds = run.speeds,
                                 .functions = run.timeline.functions});
  for (const model::RankTimeline& rank : run.timeline.ranks)
    file += print_rank(rank, run.timeline.functions);
  return file;
}

RecordedRun parse_recorded_run(std::string_view bytes, const std::string& file) {
  try {
    return parse(bytes, file);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::config)
      throw;
    reject(file, error.what());
  }
}

RecordedRun read_recorded_run(const std::string& file) {
  return parse_recorded_run(io::read_text_file(file), file);
}

bool is_recorded_run(const std::string& file) {
  const std::string_view of_any_version = run_schema.substr(0, run_schema.find_last_of('/'));
  std::string begin(of_any_version.size(), '\0');
  std::ifstream in(file, std::ios::binary);
  return in.read(begin.data(), static_cast<std::streamsize>(begin.size())) &&
         begin == of_any_version;
}

} // namespace hypermile::replay
