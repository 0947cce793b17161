#include "runtime/decide/work_assignment.hpp"

#include <fmt/format.h>

namespace hypermile::runtime {

void WorkAssignment::learn(const std::vector<Measurement>& all) {
  found_.clear();
  doubt_.clear();
  for (const Measurement& m : all) {
    if (!m.timeline)
      continue;
    for (const auto& [messages, senders] : model::dependency::taken_from_any(*m.timeline)) {
      Heard& heard = heard_[m.rank][messages];
      heard.assigns = heard.assigns || model::dependency::assign_work(senders);
      heard.most += model::dependency::most(senders);
      if (heard.assigns)
        found_ = fmt::format("rank {} gives work to whoever asks for it, so that with other gears "
                             "others would do it, and no recording tells how long that takes",
                             m.rank);
      else if (senders.size() > 1 && heard.most < model::dependency::enough_to_tell)
        doubt_ = fmt::format("rank {} takes messages from whoever comes first; some more will tell "
                             "whether it gives out work",
                             m.rank);
    }
  }
}

} // namespace hypermile::runtime
