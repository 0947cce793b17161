#include "report/loop_course.hpp"

#include "model/dependency/dependencies.hpp"
#include "report/critical_path.hpp"
#include "report/timeline_picture.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace hypermile::report {
namespace {

using model::dependency::Dependencies;
using nlohmann::ordered_json;

ordered_json course_of(const Dependencies& dependencies, const model::Timeline& timeline,
                       const std::vector<double>& scales) {
  const auto schedule = dependencies.schedule(timeline, scales);
  const TimelinePicture picture = picture_of(schedule);
  ordered_json course = picture_json(picture);
  course["path"] =
      picture.end > Seconds{}
          ? critical_path_json(critical_path_picture(dependencies, scales, schedule.begin(),
                                                     picture.end, TimelinePicture::columns))
          : ordered_json();
  return course;
}

bool recorded_in_gear0(const model::Timeline& timeline) {
  return std::ranges::all_of(timeline.ranks, [](const model::RankTimeline& rank) {
    return rank.earlier.empty() && rank.scale <= 1;
  });
}

} // namespace

ordered_json loop_course(const runtime::RunReport& run, const runtime::LoopExample& example) {
  Dependencies dependencies(example.timeline, run.protocol.value_or(model::dependency::Protocol{}));
  if (example.begin)
    dependencies.begin_at(*example.begin);
  const std::vector<double> gear0(example.scales.size(), 1);
  return {{"schema", "hypermile/loop/1"},
          {"iterations", example.iterations},
          {"recorded_in_gear0", recorded_in_gear0(example.timeline)},
          {"before", course_of(dependencies, example.timeline, gear0)},
          {"after", course_of(dependencies, example.timeline, example.scales)}};
}

} // namespace hypermile::report
