#include "report/critical_path.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace hypermile::report {
namespace {

using model::dependency::Dependencies;
using OfRank = CriticalPathPicture::OfRank;
using Wait = CriticalPathPicture::Wait;

/// Adds up the time of one rank after the other in columns, and keeps for each the rank that has
/// most of it.
class PathColumns {
public:
  PathColumns(Seconds begin, Seconds length, std::size_t columns)
      : begin_(begin), width_(length / static_cast<double>(columns)), spent_(columns) {}

  void add(std::size_t rank, Seconds from, Seconds to) {
    if (to <= from)
      return;
    const double last = static_cast<double>(spent_.size() - 1);
    const auto column = [&](Seconds moment) {
      return static_cast<std::size_t>(std::clamp((moment - begin_) / width_, 0.0, last));
    };
    for (std::size_t c = column(from); c <= column(to); ++c) {
      const Seconds left = begin_ + width_ * static_cast<double>(c);
      const Seconds inside = std::min(to, left + width_) - std::max(from, left);
      if (inside > Seconds{})
        spent_[c][rank] += inside;
    }
  }

  /// A column in which the path is nowhere has the rank of its neighbour.
  [[nodiscard]] std::vector<std::size_t> longest() const {
    std::vector<std::size_t> ranks;
    for (const auto& of_column : spent_) {
      const auto most =
          std::ranges::max_element(of_column, {}, &std::pair<const std::size_t, Seconds>::second);
      if (most != of_column.end())
        ranks.push_back(most->first);
      else
        ranks.push_back(ranks.empty() ? 0 : ranks.back());
    }
    return ranks;
  }

private:
  Seconds begin_;
  Seconds width_;
  std::vector<std::map<std::size_t, Seconds>> spent_;
};

template <class Row> void keep_most(std::vector<Row>& rows) {
  if (rows.size() > CriticalPathPicture::most_listed)
    rows.resize(CriticalPathPicture::most_listed);
}

std::vector<OfRank> longest_ranks(const std::vector<OfRank>& by_rank) {
  std::vector<OfRank> ranks;
  for (const OfRank& rank : by_rank)
    if (rank.computing + rank.inside > Seconds{})
      ranks.push_back(rank);
  std::ranges::stable_sort(ranks, std::greater{},
                           [](const OfRank& rank) { return rank.computing + rank.inside; });
  keep_most(ranks);
  return ranks;
}

using Pairs = std::map<std::pair<std::size_t, std::size_t>, std::size_t>;

std::vector<Wait> most_frequent(const Pairs& pairs) {
  std::vector<Wait> waits;
  for (const auto& [pair, times] : pairs)
    waits.push_back({pair.first, pair.second, times});
  std::ranges::stable_sort(waits, std::greater{}, &Wait::times);
  keep_most(waits);
  return waits;
}

} // namespace

CriticalPathPicture critical_path_picture(const Dependencies& dependencies,
                                          std::span<const double> scales, Seconds begin,
                                          Seconds length, std::size_t columns) {
  const Dependencies::Path path = dependencies.critical_path(scales);
  CriticalPathPicture picture;
  std::vector<OfRank> by_rank(dependencies.ranks());
  for (std::size_t r = 0; r < by_rank.size(); ++r)
    by_rank[r].rank = r;
  Pairs pairs;
  PathColumns on(begin, length, columns);
  Seconds now = path.begin;
  for (const Dependencies::PathStep& step : path.steps) {
    by_rank[step.rank].computing += step.computing;
    by_rank[step.rank].inside += step.inside;
    picture.computing += step.computing;
    picture.inside += step.inside;
    if (step.from != step.rank) {
      ++picture.handovers;
      ++pairs[{step.rank, step.from}];
    }
    on.add(step.rank, now, step.end);
    now = step.end;
  }
  picture.time = now - path.begin;
  picture.ranks = longest_ranks(by_rank);
  picture.waits = most_frequent(pairs);
  picture.by_column = on.longest();
  return picture;
}

nlohmann::ordered_json critical_path_json(const CriticalPathPicture& path) {
  auto ranks = nlohmann::ordered_json::array();
  for (const OfRank& rank : path.ranks)
    ranks.push_back({{"rank", rank.rank},
                     {"computing_s", rank.computing.value()},
                     {"inside_s", rank.inside.value()}});
  auto waits = nlohmann::ordered_json::array();
  for (const Wait& wait : path.waits)
    waits.push_back({{"rank", wait.rank}, {"waits_for", wait.waits_for}, {"times", wait.times}});
  return {{"time_s", path.time.value()},     {"computing_s", path.computing.value()},
          {"inside_s", path.inside.value()}, {"handovers", path.handovers},
          {"ranks", std::move(ranks)},       {"waits", std::move(waits)},
          {"rank_by_column", path.by_column}};
}

} // namespace hypermile::report
