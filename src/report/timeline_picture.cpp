#include "report/timeline_picture.hpp"

#include "report/rank_times.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace hypermile::report {
namespace {

using model::dependency::Schedule;

constexpr std::size_t picture_rows = 128;
constexpr std::size_t picture_columns = TimelinePicture::columns;

/// One row: time that its ranks spent on something, by column.
class PictureRow {
public:
  explicit PictureRow(Seconds end)
      : width_(end / static_cast<double>(picture_columns)), spent_(picture_columns) {}

  void add(Seconds begin, Seconds end) {
    const auto first = static_cast<std::size_t>(std::max(0.0, begin / width_));
    for (std::size_t c = std::min(first, picture_columns - 1); c < picture_columns; ++c) {
      const Seconds from = std::max(begin, width_ * static_cast<double>(c));
      const Seconds to = std::min(end, width_ * static_cast<double>(c + 1));
      if (from >= end)
        break;
      if (to > from)
        spent_[c] += to - from;
    }
  }

  [[nodiscard]] std::vector<int> percent(std::size_t ranks) const {
    std::vector<int> shares;
    for (const Seconds spent : spent_)
      shares.push_back(static_cast<int>(
          std::lround(100 * std::min(1.0, spent / (width_ * static_cast<double>(ranks))))));
    return shares;
  }

private:
  Seconds width_;
  std::vector<Seconds> spent_;
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

TimelinePicture empty_picture(std::size_t ranks, Seconds end) {
  return {.ranks = ranks, .ranks_per_row = ranks_per_row(ranks, picture_rows), .end = end};
}

/// `add`: a rank to its row. By row and column.
template <class Add>
std::vector<std::vector<int>> rows_of(const TimelinePicture& picture, const Add& add) {
  std::vector<std::vector<int>> rows;
  for (std::size_t first = 0; first < picture.ranks; first += picture.ranks_per_row) {
    const std::size_t last = std::min(first + picture.ranks_per_row, picture.ranks);
    PictureRow row(picture.end);
    for (std::size_t rank = first; rank < last; ++rank)
      add(rank, row);
    rows.push_back(row.percent(last - first));
  }
  return rows;
}

} // namespace

TimelinePicture picture_of(const model::Timeline& timeline) {
  Seconds end;
  for (const auto& rank : timeline.ranks)
    end = std::max(end, model::end(rank));
  TimelinePicture picture = empty_picture(timeline.ranks.size(), end);
  if (end > Seconds{})
    picture.computing = rows_of(
        picture, [&](std::size_t rank, PictureRow& row) { add_rank(timeline.ranks[rank], row); });
  return picture;
}

TimelinePicture picture_of(const Schedule& schedule) {
  const Seconds begin = schedule.begin();
  TimelinePicture picture = empty_picture(schedule.ranks.size(), schedule.end() - begin);
  if (picture.end <= Seconds{})
    return picture;
  picture.computing = rows_of(picture, [&](std::size_t r, PictureRow& row) {
    const Schedule::Rank& rank = schedule.ranks[r];
    Seconds now = rank.begin;
    for (const Schedule::Call& call : rank.calls) {
      row.add(now - begin, call.entered - begin);
      now = call.left;
    }
    row.add(now - begin, rank.end - begin);
  });
  picture.waiting = rows_of(picture, [&](std::size_t r, PictureRow& row) {
    for (const Schedule::Wait& wait : schedule.ranks[r].waits)
      row.add(wait.begin - begin, wait.end - begin);
  });
  return picture;
}

nlohmann::ordered_json picture_json(const TimelinePicture& picture) {
  nlohmann::ordered_json json{{"ranks", picture.ranks},
                              {"ranks_per_row", picture.ranks_per_row},
                              {"end_s", picture.end.value()},
                              {"computing_percent", picture.computing},
                              {"waiting_percent", nullptr}};
  if (!picture.waiting.empty())
    json["waiting_percent"] = picture.waiting;
  return json;
}

} // namespace hypermile::report
