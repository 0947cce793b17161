#pragma once

#include "model/dependency/assignment.hpp"
#include "runtime/exchange/messages.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace hypermile::runtime {

/// Whether the program decides while it runs who does what, as far as the events of all choices so
/// far tell.
class WorkAssignment {
public:
  /// The measurements of a choice, of all ranks; the events of those that have told any.
  void learn(const std::vector<Measurement>& all);
  /// Why no gears can be chosen from what was learnt last: a rank gives work to whoever asks for
  /// it. Empty if none does.
  [[nodiscard]] const std::string& found() const { return found_; }
  /// Why that is not known yet; empty if it is.
  [[nodiscard]] const std::string& doubt() const { return doubt_; }

private:
  struct Heard {
    bool assigns = false; ///< then it always does: by chance all get as much of it now and then
    std::size_t most = 0; ///< messages of one sender, in all
  };
  std::map<int, std::map<model::dependency::FromAny, Heard>> heard_; ///< by rank
  std::string found_;
  std::string doubt_;
};

} // namespace hypermile::runtime
