#include "report/explanation.hpp"

#include "report/neighbours.hpp"
#include "units/wrapped.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace hypermile::report {
namespace {

using simulate::Explanation;
using Call = Explanation::Call;

/// Slack of this size is rounding.
constexpr Seconds rounding_of_slack{1e-12};

double percent_of(Seconds part, Seconds whole) {
  return whole > Seconds{} ? 100 * (part / whole) : 0;
}

std::string heading(const ExplainedRun& run, const Explanation& e) {
  const auto& path = run.program.front();
  std::vector<std::string> words{path.substr(path.find_last_of('/') + 1)};
  words.insert(words.end(), run.program.begin() + 1, run.program.end());
  std::string gears = run.given ? fmt::format("{} are", run.run)
                                : fmt::format("The gears that run {} had at its end are", run.run);
  gears += " applied to the whole recorded unscaled run.";
  if (!run.others.empty())
    gears += fmt::format(" Other runs in {} (--run): {}.", run.folder, fmt::join(run.others, ", "));
  return wrapped(fmt::format("{} on {} ranks of platform {}", fmt::join(words, " "), e.ranks.size(),
                             run.platform)) +
         wrapped(gears);
}

std::string times(const ExplainedRun& run, const Explanation& e) {
  const model::Prediction& present = e.neighbourhood.present.prediction;
  std::string text = wrapped("The run takes " + figures_in_words(present));
  if (run.simulated)
    text +=
        wrapped(fmt::format("The simulated run{} took {:.6g} s and {:.6g} J.",
                            run.changed_on_the_way ? ", in which gears changed on the way," : "",
                            run.simulated->time.value(), run.simulated->energy.value()));
  if (run.whole)
    text += wrapped(fmt::format("This is of the steps that were simulated. The whole run takes "
                                "{:.6g} s and {:.6g} J, as is extrapolated from them.",
                                run.whole->time.value(), run.whole->energy.value()));
  return text;
}

std::string rank_in_words(std::size_t rank, const Explanation& e) {
  const Explanation::Node& node = e.nodes[e.ranks[rank].node];
  return fmt::format("rank {} ({}, gear {})", rank, node.name, node.gear);
}

/// "rank 3 (node-4, gear 0) 0.51 s, 31 %" of those that compute most on the path.
std::string computing_in_words(const Explanation& e, std::size_t top) {
  std::vector<std::size_t> order;
  for (std::size_t r = 0; r < e.ranks.size(); ++r)
    if (e.ranks[r].on_path > Seconds{})
      order.push_back(r);
  std::ranges::stable_sort(order, std::greater{},
                           [&](std::size_t r) { return e.ranks[r].on_path; });
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < std::min(top, order.size()); ++i)
    parts.push_back(fmt::format("{} {:.4g} s, {:.1f} %", rank_in_words(order[i], e),
                                e.ranks[order[i]].on_path.value(),
                                percent_of(e.ranks[order[i]].on_path, e.path_time)));
  const std::size_t left = order.size() - parts.size();
  return fmt::format("{}{}", fmt::join(parts, "; "),
                     left == 0 ? "" : fmt::format("; and {} more", left));
}

/// Of the call on the path that costs most.
std::string call_in_words(const Call& call) {
  const double each_ms = 1e3 * call.inside.value() / static_cast<double>(call.times);
  const std::string often =
      fmt::format("{} time{} {:.3g} ms", call.times, call.times == 1 ? "" : "s", each_ms);
  switch (call.kind) {
  case Call::Kind::message:
    return fmt::format("{} of rank {} with rank {}, {}", call.function, call.rank, call.with,
                       often);
  case Call::Kind::collective:
    return fmt::format("{} of {} ranks, {}", call.function, call.with, often);
  case Call::Kind::alone:
    break;
  }
  return fmt::format("{} of rank {}, {}", call.function, call.rank, often);
}

std::string path_in_words(const Explanation& e) {
  std::string text = wrapped(fmt::format(
      "Critical path: {:.1f} % of the time ({:.4g} s) is computation, {:.1f} % ({:.4g} s) "
      "is messages and MPI calls. It goes from one rank to another {} time{}.",
      percent_of(e.computing, e.path_time), e.computing.value(), percent_of(e.inside, e.path_time),
      e.inside.value(), e.handovers, e.handovers == 1 ? "" : "s"));
  if (e.late_begin > Seconds{})
    text += wrapped(fmt::format("It begins on a rank that started {:.4g} s after the first one.",
                                e.late_begin.value()));
  constexpr std::size_t ranks_in_words = 3;
  if (e.computing > Seconds{})
    text += wrapped("Computation on the path: " + computing_in_words(e, ranks_in_words) + ".");
  if (!e.calls.empty())
    text += wrapped("The most expensive MPI call: " + call_in_words(e.calls.front()) + ".");
  return text;
}

std::string line_of(const Call& call, Seconds time) {
  const bool collective = call.kind == Call::Kind::collective;
  const std::string on = collective ? "all" : fmt::format("{}", call.rank);
  const std::string with = call.kind == Call::Kind::message ? fmt::format("{}", call.with)
                           : collective                     ? fmt::format("{} ranks", call.with)
                                                            : "-";
  return fmt::format("{:<22}{:>8}{:>12}{:>8}{:>11.4g}{:>8.2f}{:>10.3g}\n",
                     shortened(call.function, 21), on, with, call.times, call.inside.value(),
                     percent_of(call.inside, time),
                     1e3 * call.inside.value() / static_cast<double>(call.times));
}

std::string calls_table(const Explanation& e, std::size_t top) {
  if (e.calls.empty())
    return "";
  std::string text = fmt::format("\n{:<22}{:>8}{:>12}{:>8}{:>11}{:>8}{:>10}\n", "call on the path",
                                 "on rank", "with", "times", "s in MPI", "%", "ms each");
  Seconds rest = e.inside;
  for (std::size_t i = 0; i < std::min(top, e.calls.size()); ++i) {
    text += line_of(e.calls[i], e.path_time);
    rest -= e.calls[i].inside;
  }
  if (e.calls.size() > top)
    text += fmt::format("{:<50}{:>11.4g}{:>8.2f}\n",
                        fmt::format("... {} more (--top)", e.calls.size() - top), rest.value(),
                        percent_of(rest, e.path_time));
  return text;
}

std::string iterations_of(const Explanation::Segment& segment) {
  if (segment.first_iteration == 0 || segment.last_iteration == 0)
    return "-";
  return segment.first_iteration == segment.last_iteration
             ? fmt::format("{}", segment.first_iteration)
             : fmt::format("{}-{}", segment.first_iteration, segment.last_iteration);
}

std::string segments_table(const Explanation& e) {
  std::string text =
      fmt::format("\nLongest segments of the path on one rank (iterations: about)\n"
                  "{:>5} {:>10}{:>9}{:>10}{:>9}{:>11}  {}\n",
                  "rank", "from s", "ms", "computing", "in MPI", "iteration", "from .. to");
  for (const auto& segment : e.longest)
    text += fmt::format("{:>5} {:>10.5g}{:>9.4g}{:>10.4g}{:>9.4g}{:>11}  {} .. {}\n", segment.rank,
                        segment.begin.value(), 1e3 * (segment.computing + segment.inside).value(),
                        1e3 * segment.computing.value(), 1e3 * segment.inside.value(),
                        iterations_of(segment),
                        shortened(segment.first_call.empty() ? "the end" : segment.first_call, 9),
                        shortened(segment.last_call.empty() ? "the end" : segment.last_call, 9));
  return text;
}

/// How many digits after the point show a ten-thousandth of the time.
int digits_for(Seconds time) {
  return time > Seconds{} ? std::max(0, 4 - static_cast<int>(std::floor(std::log10(time.value()))))
                          : 0;
}

std::string ranks_table(const Explanation& e) {
  std::string text = fmt::format(
      "\nRanks: s on the path, computing, in messages, waiting for others; slack in ms\n"
      "{:>4} {:<11}{:>8}{:>6}{:>10}{:>9}{:>9}{:>7}{:>5}{:>9}\n",
      "rank", "node", "path", "%", "computing", "messages", "waiting", "slack", "%", "typical");
  const int digits = digits_for(e.path_time);
  for (std::size_t r = 0; r < std::min(most_lines, e.ranks.size()); ++r) {
    const auto& [node, on_path, account, slack] = e.ranks[r];
    text += fmt::format("{:>4} {:<11}{:>8.{}f}{:>6.1f}{:>10.{}f}{:>9.{}f}{:>9.{}f}{:>7.3g}{:>5.1f}"
                        "{:>9.3g}\n",
                        r, shortened(e.nodes[node].name, 10), on_path.value(), digits,
                        percent_of(on_path, e.path_time), account.computing.value(), digits,
                        account.inside.value(), digits, account.waiting.value(), digits,
                        slack.least <= rounding_of_slack ? 0.0 : 1e3 * slack.least.value(),
                        percent_of(slack.least, e.path_time), 1e3 * slack.typical.value());
  }
  text += more_lines(most_lines, e.ranks.size());
  if (std::ranges::all_of(e.ranks,
                          [](const auto& rank) { return rank.slack.least <= rounding_of_slack; }))
    text +=
        wrapped("Every rank is on the critical path at some point, so no rank has slack for the "
                "whole run; 'typical' is the median slack over its computation.");
  return text;
}

} // namespace

std::string explanation_text(const ExplainedRun& run, const Explanation& explanation,
                             std::size_t top) {
  std::vector<GearHolder> holders;
  for (const auto& node : explanation.nodes)
    holders.push_back({node.name, node.gear});
  return heading(run, explanation) + "\n" + times(run, explanation) + "\n" +
         path_in_words(explanation) + calls_table(explanation, top) + segments_table(explanation) +
         ranks_table(explanation) + "\n" +
         neighbours_text(holders, explanation.neighbourhood, run.request);
}

} // namespace hypermile::report
