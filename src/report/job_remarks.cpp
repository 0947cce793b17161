#include "report/job_remarks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace hypermile::report {
namespace {

/// Remarks in the order in which they first came, each with its nodes.
class Remarks {
public:
  void add(const std::string& remark, const std::string& node) {
    auto known = std::ranges::find(all_, remark, &Remark::text);
    if (known == all_.end())
      known = all_.insert(all_.end(), {remark, {}});
    if (std::ranges::find(known->nodes, node) == known->nodes.end())
      known->nodes.push_back(node);
  }

  [[nodiscard]] std::vector<std::string> texts(std::size_t nodes) const {
    std::vector<std::string> texts;
    for (const Remark& remark : all_)
      texts.push_back(remark.nodes.size() == nodes ? remark.text : with_nodes(remark));
    return texts;
  }

private:
  struct Remark {
    std::string text;
    std::vector<std::string> nodes;
  };

  /// "a: ...", or "a, b, c and 5 more nodes: ...".
  static std::string with_nodes(const Remark& remark) {
    constexpr std::size_t most = 3;
    const std::size_t shown = std::min(most, remark.nodes.size());
    const auto end = remark.nodes.begin() + static_cast<std::ptrdiff_t>(shown);
    const std::size_t more = remark.nodes.size() - shown;
    return fmt::format("{}{}: {}", fmt::join(remark.nodes.begin(), end, ", "),
                       more == 0 ? ""
                                 : fmt::format(" and {} more node{}", more, more == 1 ? "" : "s"),
                       remark.text);
  }

  std::vector<Remark> all_;
};

} // namespace

std::vector<std::string> remarks_of(const runtime::RunReport& run, const Leaders& leaders) {
  Remarks remarks;
  for (const runtime::RankReport* leader : leaders.all())
    if (leader->access)
      for (const std::string& remark : leader->access->remarks)
        remarks.add(remark, leader->node.name);
  for (const runtime::RankReport& rank : run.ranks)
    if (!rank.failure.empty())
      remarks.add(rank.failure, rank.node.name);
  return remarks.texts(leaders.all().size());
}

} // namespace hypermile::report
