#include "network/decomposition.hpp"

#include "network/exchange_steps.hpp"
#include "network/traffic_pass.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace hypermile::network {
namespace {

/// So many operations of a kind are looked at, from the first to the last.
constexpr std::size_t most_samples = 5;
/// Of a timeline, in memory: each takes about 150 B. Kinds beyond them keep their constant costs.
constexpr std::size_t most_messages = 4'000'000;

/// Of an operation, under way at once: rates are found again for all of them whenever one ends.
constexpr std::size_t most_at_once = 1024;

/// Messages that are sent in the same round.
std::size_t at_once(const Exchange& exchange) {
  std::vector<std::size_t> counts;
  for (const auto& rounds : exchange.rounds) {
    counts.resize(std::max(counts.size(), rounds.size()), 0);
    for (std::size_t r = 0; r < rounds.size(); ++r)
      counts[r] += rounds[r].sends.size();
  }
  return counts.empty() ? 0 : std::ranges::max(counts);
}

/// Upper median.
double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// When the members of one operation came and went; s.
struct Sample {
  std::vector<double> entered;
  std::vector<double> left;

  /// After the last one had come.
  [[nodiscard]] double duration() const {
    return std::ranges::max(left) - std::ranges::max(entered);
  }
};

/// What an algorithm says of the samples.
struct Explanation {
  double misfit = 0;
  std::vector<double> beyond; ///< by member; s
};

class Finder {
public:
  Finder(const Matching& matching, const Calls& calls, const Protocol& protocol,
         const Interconnect& network)
      : matching_(matching), calls_(calls), protocol_(protocol), network_(network) {}

  /// function, communicator, root, bytes by member
  using Key = std::tuple<std::uint16_t, std::uint64_t, EventIndex, std::vector<std::uint64_t>>;
  using Operations = std::vector<LinkIndex>;

  [[nodiscard]] std::map<Key, Operations> kinds() const {
    std::map<Key, Operations> kinds;
    for (LinkIndex c = 0; c < matching_.collectives().size(); ++c)
      if (is_blocking(matching_.collectives()[c]))
        kinds[key(matching_.collectives()[c])].push_back(c);
    return kinds;
  }

  /// Empty where none explains the operations, which are of one kind.
  [[nodiscard]] std::optional<Decomposition::Kind> explain(const Key& key,
                                                           const Operations& operations) const {
    const auto& [function, communicator, root, bytes] = key;
    const auto nodes = nodes_of(matching_.collectives()[operations.front()]);
    if (bytes.size() < 2 || !know_each_other(nodes))
      return std::nullopt;
    const std::vector<Sample> samples = samples_of(operations);
    std::optional<Decomposition::Kind> best;
    double least = largest_unexplained;
    for (const Algorithm& algorithm : algorithms_of(matching_.timeline().functions[function])) {
      Exchange exchange = algorithm.exchange({.bytes = bytes, .root = root});
      if (exchange.messages.empty() || at_once(exchange) > most_at_once)
        continue;
      Explanation explanation = judge(exchange, nodes, samples);
      if (explanation.misfit >= least)
        continue;
      least = explanation.misfit;
      best = {algorithm.name, std::move(exchange), std::move(explanation.beyond)};
    }
    return best;
  }

private:
  /// Each member was in a call that did nothing else.
  [[nodiscard]] bool is_blocking(const Collective& collective) const {
    return std::ranges::all_of(collective.arrivals, [&](EventIndex arrival) {
      return matching_.link(arrival) != nothing && calls_.first(arrival) == arrival &&
             calls_.end(arrival) == arrival + 2 &&
             matching_.operation(arrival + 1).action == Action::complete &&
             matching_.event(arrival + 1).started == 1;
    });
  }

  [[nodiscard]] Key key(const Collective& collective) const {
    const Operation& first = matching_.operation(collective.arrivals.front());
    std::vector<std::uint64_t> bytes;
    for (const EventIndex arrival : collective.arrivals)
      bytes.push_back(matching_.operation(arrival).bytes);
    const auto root = std::ranges::find(collective.arrivals, collective.root);
    const auto member = root == collective.arrivals.end() ? 0 : root - collective.arrivals.begin();
    return {first.function, first.communicator, static_cast<std::uint32_t>(member),
            std::move(bytes)};
  }

  [[nodiscard]] std::vector<std::uint32_t> nodes_of(const Collective& collective) const {
    std::vector<std::uint32_t> nodes;
    for (const EventIndex arrival : collective.arrivals)
      nodes.push_back(network_.node_of_rank[matching_.rank(arrival)]);
    return nodes;
  }

  [[nodiscard]] bool know_each_other(const std::vector<std::uint32_t>& nodes) const {
    for (std::size_t a = 0; a < nodes.size(); ++a)
      for (std::size_t b = 0; b < nodes.size(); ++b)
        if (a != b && network_.route(nodes[a], nodes[b]) == nullptr)
          return false;
    return true;
  }

  [[nodiscard]] std::vector<Sample> samples_of(const Operations& operations) const {
    std::vector<Sample> samples;
    const std::size_t count = std::min(operations.size(), most_samples);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = count == 1 ? 0 : i * (operations.size() - 1) / (count - 1);
      Sample& sample = samples.emplace_back();
      for (const EventIndex arrival : matching_.collectives()[operations[at]].arrivals) {
        sample.entered.push_back(calls_.entered(arrival).value());
        sample.left.push_back(calls_.left(arrival).value());
      }
    }
    return samples;
  }

  [[nodiscard]] Explanation judge(const Exchange& exchange, const std::vector<std::uint32_t>& nodes,
                                  const std::vector<Sample>& samples) const {
    std::vector<double> misfits;
    std::vector<std::vector<double>> beyond(nodes.size());
    for (const Sample& sample : samples) {
      const std::vector<double> leaves = play(exchange, nodes, sample.entered);
      double distance = 0;
      for (std::size_t m = 0; m < leaves.size(); ++m) {
        distance += std::abs(sample.left[m] - leaves[m]);
        beyond[m].push_back(sample.left[m] - leaves[m]);
      }
      misfits.push_back(distance / (static_cast<double>(leaves.size()) *
                                    (sample.duration() + longest_overhead.value())));
    }
    Explanation explanation{.misfit = median(misfits), .beyond = {}};
    for (const std::vector<double>& seen : beyond)
      explanation.beyond.push_back(std::max(0.0, median(seen)));
    return explanation;
  }

  /// When the members leave, with nothing else on the network; s.
  [[nodiscard]] std::vector<double> play(const Exchange& exchange,
                                         const std::vector<std::uint32_t>& nodes,
                                         const std::vector<double>& entered) const {
    Traffic traffic(network_, entered);
    const ExchangeSteps steps(exchange, nodes, protocol_, traffic);
    for (std::uint32_t m = 0; m < entered.size(); ++m)
      steps.add_member(m, m, 0, protocol_, traffic);
    TrafficWorkspace workspace;
    TrafficPass(traffic, std::vector<double>(entered.size(), 1), workspace).run();
    return {workspace.clocks().begin(), workspace.clocks().end()};
  }

  const Matching& matching_;
  const Calls& calls_;
  const Protocol& protocol_;
  const Interconnect& network_;
};

} // namespace

Decomposition::Decomposition(const Matching& matching, const Calls& calls, const Protocol& protocol,
                             const Interconnect& network)
    : kind_of_(matching.collectives().size(), nothing) {
  if (network.node_of_rank.size() != matching.timeline().ranks.size())
    return; // not of this timeline
  const Finder finder(matching, calls, protocol, network);
  std::size_t messages = 0;
  for (const auto& [key, operations] : finder.kinds()) {
    auto kind = finder.explain(key, operations);
    if (!kind)
      continue;
    const std::size_t more = kind->exchange.messages.size() * operations.size();
    if (messages + more > most_messages)
      continue;
    messages += more;
    for (const LinkIndex collective : operations)
      kind_of_[collective] = static_cast<std::uint32_t>(kinds_.size());
    kinds_.push_back(std::move(*kind));
  }
}

std::vector<Decomposition::Use> Decomposition::uses(const Matching& matching) const {
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> counts;
  for (LinkIndex c = 0; c < matching.collectives().size(); ++c) {
    const EventIndex arrival = matching.collectives()[c].arrivals.front();
    const std::string_view function =
        matching.timeline().functions[matching.operation(arrival).function];
    ++counts[{function, kind(c) == nullptr ? std::string_view{} : kind(c)->algorithm}];
  }
  std::vector<Use> uses;
  for (const auto& [names, operations] : counts)
    uses.push_back({names.first, names.second, operations});
  return uses;
}

} // namespace hypermile::network
