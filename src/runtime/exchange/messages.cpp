#include "runtime/exchange/messages.hpp"

#include "runtime/exchange/report_fields.hpp"

#include <algorithm>
#include <string>
#include <utility>

// What is read is checked member by member: a message that encode() did not make is an error, and
// never a wrapped or cut number.
namespace hypermile::runtime {

template <class Archive, Of<Spent> T> void fields(Archive& archive, T& spent) {
  archive(spent.computing, spent.waiting, spent.metered);
}

/// It is most of what a rank tells again and again, and the same every time.
template <class Archive, class T> void node_unless_known(Archive& archive, T& m) {
  archive(m.rank, m.node_is_known);
  if (!m.node_is_known)
    archive(m.node);
}

/// Most iterations are in the gear of the one before.
struct EqualScales {
  std::size_t count = 0;
  double scale = 1;
};

template <class Archive, Of<EqualScales> T> void fields(Archive& archive, T& equal) {
  archive(equal.count, equal.scale);
}

void scales_of(Writer& writer, const Measurement& m) {
  std::vector<EqualScales> runs;
  for (const double scale : m.scales)
    if (!runs.empty() && runs.back().scale == scale)
      ++runs.back().count;
    else
      runs.push_back({1, scale});
  writer(runs);
}

void scales_of(Reader& reader, Measurement& m) {
  if (!std::ranges::is_sorted(m.iterations))
    refuse("iterations do not come one after the other");
  std::vector<EqualScales> runs;
  reader(runs);
  for (const auto& [count, scale] : runs) {
    if (count > m.computations.size() - m.scales.size() || scale < 0)
      refuse("iterations were in gears that make no sense");
    m.scales.insert(m.scales.end(), count, scale);
  }
}

/// The numbers of communicators are long, and few: in messages operations have an index.
void timeline_of(Writer& writer, const Measurement& m) {
  std::optional<model::RankTimeline> timeline = m.timeline;
  std::vector<std::uint64_t> communicators;
  std::vector<std::uint32_t> places;
  if (timeline)
    for (model::Operation& operation : timeline->operations) {
      places.push_back(operation.site);
      const auto known = std::ranges::find(communicators, operation.communicator);
      const auto index = static_cast<std::uint64_t>(known - communicators.begin());
      if (known == communicators.end())
        communicators.push_back(operation.communicator);
      operation.communicator = index;
    }
  writer(communicators, places, timeline);
  if (timeline)
    pauses_of(writer, *timeline);
}

void timeline_of(Reader& reader, Measurement& m) {
  std::vector<std::uint64_t> communicators;
  std::vector<std::uint32_t> places;
  reader(communicators, places, m.timeline);
  if (m.timeline)
    pauses_of(reader, *m.timeline);
  if (places.size() != (m.timeline ? m.timeline->operations.size() : 0))
    refuse("an operation has no place");
  auto place = places.begin();
  if (m.timeline)
    for (model::Operation& operation : m.timeline->operations) {
      operation.site = *place++;
      if (operation.communicator >= communicators.size())
        refuse("an operation has no communicator");
      operation.communicator = communicators[operation.communicator];
    }
}

template <class Archive, Of<Measurement> T> void fields(Archive& archive, T& m) {
  node_unless_known(archive, m);
  archive(m.phase, m.gear, m.computation, m.computation_in_gear0, m.communication, m.calls,
          m.elapsed, m.own, m.spent, m.power, m.deviation, m.orders, m.loop, m.measured_iterations,
          m.stolen, m.computed, m.of_one_loop, m.computations, m.iterations);
  scales_of(archive, m);
  timeline_of(archive, m);
}

template <class Archive, Of<EarlyMeasurement> T> void fields(Archive& archive, T& m) {
  node_unless_known(archive, m);
  archive(m.look, m.elapsed, m.computation_in_gear0);
}

template <class Archive, Of<Drifted> T> void fields(Archive& archive, T& drifted) {
  archive(drifted.rank, drifted.orders);
}

template <class Archive, Of<GearOrder> T> void fields(Archive& archive, T& order) {
  archive(order.gear, order.set_it, order.look_again, order.before_loop, order.any_gear,
          order.after);
}

template <class Archive, Of<Ask> T> void fields(Archive& archive, T& ask) { archive(ask.meant); }

template <class Archive, Of<Remeasure> T> void fields(Archive& /*archive*/, T& /*message*/) {}
template <class Archive, Of<Stay> T> void fields(Archive& /*archive*/, T& /*message*/) {}
template <class Archive, Of<CommonStage> T> void fields(Archive& archive, T& stage) {
  archive(stage.orders);
}
template <class Archive, Of<Withdrawal> T> void fields(Archive& /*archive*/, T& /*message*/) {}

inline Measurement blank(const Measurement* /*type*/) { return {.node = unknown_node()}; }
inline EarlyMeasurement blank(const EarlyMeasurement* /*type*/) { return {.node = unknown_node()}; }
namespace {

template <class Other> void check(const Other& /*message*/) {}
void check(const EarlyMeasurement& m) { check_rank(m.rank); }
void check(const Drifted& drifted) { check_rank(drifted.rank); }
void check(const Measurement& m) {
  check_rank(m.rank);
  if (!m.node_is_known)
    check_gear(m.gear, m.node);
  if (m.deviation < Seconds{})
    refuse("a deviation is negative");
  if (m.stolen < 0)
    refuse("a share is negative");
  for (const Seconds computation : m.computations)
    if (computation < Seconds{})
      refuse("a computation is negative");
}
/// The message of that kind, by its place in the variant.
template <std::size_t alternative = 0> Message read(std::size_t kind, Reader& reader) {
  if constexpr (alternative == std::variant_size_v<Message>) {
    refuse("its kind is unknown");
  } else {
    if (kind != alternative)
      return read<alternative + 1>(kind, reader);
    using Kind = std::variant_alternative_t<alternative, Message>;
    auto message = blank(static_cast<Kind*>(nullptr));
    fields(reader, message);
    check(message);
    return message;
  }
}

} // namespace

Bytes encode(const Message& message) {
  Writer writer;
  writer(message.index());
  std::visit([&](const auto& of_kind) { fields(writer, of_kind); }, message);
  return writer.take();
}

Message decode(const Bytes& bytes) {
  return reading("a message from another rank", [&] {
    Reader reader(bytes);
    std::size_t kind = 0;
    reader(kind);
    Message message = read(kind, reader);
    if (!reader.at_end())
      refuse("it is longer than it should be");
    return message;
  });
}

} // namespace hypermile::runtime
