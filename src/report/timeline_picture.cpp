#include "report/timeline_picture.hpp"

#include "report/rank_times.hpp"

#include <algorithm>
#include <cmath>

namespace hypermile::report {
namespace {

constexpr std::size_t picture_rows = 128;
constexpr std::size_t picture_columns = 200;

/// One row: time that its ranks computed, by column.
class PictureRow {
public:
  explicit PictureRow(Seconds end)
      : width_(end / static_cast<double>(picture_columns)), computing_(picture_columns) {}

  void add(Seconds begin, Seconds end) {
    const auto first = static_cast<std::size_t>(std::max(0.0, begin / width_));
    for (std::size_t c = std::min(first, picture_columns - 1); c < picture_columns; ++c) {
      const Seconds from = std::max(begin, width_ * static_cast<double>(c));
      const Seconds to = std::min(end, width_ * static_cast<double>(c + 1));
      if (from >= end)
        break;
      if (to > from)
        computing_[c] += to - from;
    }
  }

  [[nodiscard]] std::vector<int> percent(std::size_t ranks) const {
    std::vector<int> shares;
    for (const Seconds computed : computing_)
      shares.push_back(static_cast<int>(
          std::lround(100 * std::min(1.0, computed / (width_ * static_cast<double>(ranks))))));
    return shares;
  }

private:
  Seconds width_;
  std::vector<Seconds> computing_;
};

void add_rank(const model::RankTimeline& rank, PictureRow& row) {
  model::RankClock clock(rank);
  Seconds now = rank.begin;
  for (std::size_t e = 0; e < rank.events.size(); ++e) {
    const auto moments = clock.next();
    row.add(moments.begin, moments.entered);
    now = moments.left;
  }
  row.add(now, now + rank.computation_after);
}

} // namespace

TimelinePicture picture_of(const model::Timeline& timeline) {
  TimelinePicture picture{.ranks = timeline.ranks.size(),
                          .ranks_per_row = ranks_per_row(timeline.ranks.size(), picture_rows),
                          .end = Seconds{},
                          .computing = {}};
  for (const auto& rank : timeline.ranks)
    picture.end = std::max(picture.end, model::end(rank));
  if (picture.end <= Seconds{})
    return picture;
  for (std::size_t first = 0; first < picture.ranks; first += picture.ranks_per_row) {
    const std::size_t last = std::min(first + picture.ranks_per_row, picture.ranks);
    PictureRow row(picture.end);
    for (std::size_t rank = first; rank < last; ++rank)
      add_rank(timeline.ranks[rank], row);
    picture.computing.push_back(row.percent(last - first));
  }
  return picture;
}

} // namespace hypermile::report
