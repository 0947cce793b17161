#include "runtime/loop/description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace hypermile::runtime {
namespace {

constexpr std::size_t longest_text = 160;
constexpr std::size_t most_calls = 1 << 15;
constexpr std::size_t longest_body = 64; ///< of an inner loop, folded

/// A sequence of calls in which what repeats is one element, whatever the number of times.
class Fold {
public:
  void add(Symbol call) {
    elements_.push_back(std::size_t{call} * 2);
    while (fold())
      ;
  }
  [[nodiscard]] std::string text() const { return text(elements_); }

private:
  using Elements = std::vector<std::size_t>; ///< even: a call, odd: a loop

  bool fold() {
    const std::size_t size = elements_.size();
    const auto end = elements_.end();
    for (std::size_t period = 1; period <= std::min(longest_body, size - 1); ++period) {
      const auto body = end - static_cast<std::ptrdiff_t>(period);
      const std::size_t below = *(body - 1);
      if (below % 2 == 1 &&
          std::equal(body, end, bodies_[below / 2].begin(), bodies_[below / 2].end()))
        return replace(period, below);
      if (2 * period <= size && std::equal(body, end, body - static_cast<std::ptrdiff_t>(period)))
        return replace(2 * period, loop_of({body, end}));
    }
    return false;
  }
  bool replace(std::size_t count, std::size_t loop) {
    elements_.resize(elements_.size() - count);
    if (elements_.empty() || elements_.back() != loop)
      elements_.push_back(loop);
    return true;
  }
  std::size_t loop_of(const Elements& body) {
    const auto [known, is_new] = numbers_.try_emplace(body, bodies_.size() * 2 + 1);
    if (is_new)
      bodies_.push_back(body);
    return known->second;
  }
  [[nodiscard]] std::string text(const Elements& elements) const {
    std::string text;
    std::size_t calls = 0;
    const auto flush = [&] {
      if (calls > 0)
        text +=
            fmt::format("{}{} MPI call{}", text.empty() ? "" : " + ", calls, calls > 1 ? "s" : "");
      calls = 0;
    };
    for (const std::size_t element : elements) {
      if (element % 2 == 0) {
        ++calls;
        continue;
      }
      flush();
      text += fmt::format("{}loop of ({})", text.empty() ? "" : " + ",
                          this->text(bodies_[element / 2]));
    }
    flush();
    return text;
  }

  Elements elements_;
  std::vector<Elements> bodies_; ///< of the loops
  std::map<Elements, std::size_t> numbers_;
};

} // namespace

std::string describe_iteration(std::span<const Symbol> calls) {
  if (calls.size() <= most_calls) {
    Fold fold;
    for (const Symbol call : calls)
      fold.add(call);
    std::string text = fold.text();
    if (text.size() <= longest_text)
      return text;
  }
  return fmt::format("{} MPI calls", calls.size());
}

} // namespace hypermile::runtime
