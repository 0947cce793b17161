#pragma once

#include "steer/goal.hpp"
#include "steer/space.hpp"
#include "steer/visits.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hypermile::steer {

/// What a search wants next.
struct Step {
  enum class What {
    visit, ///< measure this configuration (again)
    settle ///< stay in it
  };
  What what;
  std::size_t configuration;
  /// Of what is settled in: whether it keeps all bounds, as far as was measured.
  bool keeps_bounds = true;
  std::string reason; ///< as a user reads it
};

/// Finds a configuration for a goal by visiting as few as possible. The caller alternates between
/// next() and observe() of what next() wanted, until that settles.
class Search {
public:
  /// `space` must outlive it.
  Search(const Space& space, const Goal& goal) : space_(space), goal_(goal) {}
  virtual ~Search() = default;
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  /// The same until something is observed, or the goal changes.
  virtual Step next() = 0;
  virtual void observe(std::size_t configuration, const Measurement& measured) {
    visits_.add(configuration, measured);
  }
  /// Likewise, where what was measured there before no longer holds.
  virtual void correct(std::size_t configuration, const Measurement& measured) {
    visits_.replace(configuration, measured);
  }
  /// From now on another goal; what was learnt of the program is kept where the method has a use
  /// for it.
  virtual void aim(const Goal& goal) { goal_ = goal; }
  /// What the program can do in a configuration, and draws in it under the goal's load, as far as
  /// is known: none before the first visit, or where the method predicts nothing.
  [[nodiscard]] virtual std::optional<Performance> expected(std::size_t configuration) const {
    return seen_of(visits_, configuration);
  }

  [[nodiscard]] const Goal& goal() const { return goal_; }
  /// What was observed and is not forgotten.
  [[nodiscard]] const Visits& visits() const { return visits_; }

protected:
  // What all methods have, for them to use.
  const Space& space_;
  Goal goal_;
  Visits visits_;
};

/// A method by its name. `space` must outlive it. Throws Error{config} for a name that is not one
/// of methods(), Error{unsupported} where the method has no answer to this kind of goal.
std::unique_ptr<Search> make_search(const std::string& method, const Space& space,
                                    const Goal& goal);

/// Names and what they are, for help and messages.
struct SearchMethod {
  std::string name;
  std::string description;
};
const std::vector<SearchMethod>& methods();

/// Whether the method has an answer to goals of this kind.
bool supports(const std::string& method, const Goal& goal);
/// Throws as make_search() where it has not.
void require_support(const std::string& method, const Goal& goal);

} // namespace hypermile::steer
