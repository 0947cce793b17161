#pragma once

#include "application/application_model.hpp"
#include "application/rank_calls.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

struct lua_State;

namespace hypermile::application {

/// What the words of a model mean: the functions that its text calls. Errors in what a function
/// gets are raised as errors of Lua.
class Host {
public:
  explicit Host(const Request& request);

  /// Pushes the table of functions that the prelude wants. `state` belongs to a Sandbox with this
  /// as its owner.
  void push_functions(lua_State* state);
  /// The text has been run: looks at what it declared, and gives each rank its role. Raises.
  void assign_roles(lua_State* state);
  /// Raises. What a rank does is written down from here on.
  void play(lua_State* state, std::uint32_t rank);
  /// What it did.
  [[nodiscard]] model::RankTimeline finish();

  [[nodiscard]] const std::vector<Parameter>& parameters() const { return parameters_; }
  [[nodiscard]] const std::vector<std::string>& roles() const { return role_of_rank_; }
  /// Of the ranks that were played, as ModelRun::extrapolated.
  [[nodiscard]] std::vector<ExtrapolatedSteps> extrapolated() const;

  // The functions: arguments and results are on the stack of `state`.
  int param(lua_State* state);
  int role(lua_State* state);
  int assign(lua_State* state);
  int print(lua_State* state);
  int compute(lua_State* state);
  int cost(lua_State* state);
  int send(lua_State* state);
  int receive(lua_State* state);
  int exchange(lua_State* state);
  int start_send(lua_State* state);
  int start_receive(lua_State* state);
  int wait(lua_State* state);
  int collective(lua_State* state);
  int group(lua_State* state);
  int sleep(lua_State* state);
  int iteration(lua_State* state);
  int begin_steps(lua_State* state);
  int step(lua_State* state);
  int end_steps(lua_State* state);
  int ranks_of(lua_State* state);
  int role_and_place(lua_State* state);
  int set_global(lua_State* state);
  int number(lua_State* state);
  int count(lua_State* state);

private:
  RankCalls& calls(lua_State* state, const char* word);
  void check_is_loading(lua_State* state, const char* word) const;
  void check_parameters(lua_State* state) const;
  const std::string& ask_for_role(lua_State* state, std::uint32_t rank) const;
  /// None: nobody.
  std::optional<Side> side(lua_State* state, int partner, int bytes, int tag,
                           const char* word) const;
  std::uint32_t rank_at(lua_State* state, int index, const std::string& what) const;
  std::size_t group_of(lua_State* state, const std::vector<std::uint32_t>& members);
  int start(lua_State* state, bool sends);
  void check_agreement(lua_State* state, const ExtrapolatedSteps& steps) const;
  void check_all_steps(lua_State* state) const;

  Request request_;
  std::vector<Parameter> parameters_;
  std::map<std::string, int> roles_; ///< where Lua keeps their functions
  std::string first_role_;
  std::optional<int> assign_; ///< likewise
  std::vector<std::string> role_of_rank_;
  std::map<std::string, std::vector<std::uint32_t>> ranks_of_role_;
  std::vector<std::uint32_t> place_; ///< by rank: among those of its role, from 0 on
  std::vector<Group> groups_;        ///< the first is all ranks of the job
  std::map<std::vector<std::uint32_t>, std::size_t> group_of_members_;
  std::vector<bool> has_made_; ///< by group: whether the rank that is being run has
  std::size_t printed_ = 0;    ///< lines
  std::uint64_t events_ = 0;   ///< of the ranks before
  std::uint32_t rank_ = 0;
  std::vector<ExtrapolatedSteps> steps_; ///< loops of the first rank that has any
  std::uint32_t rank_of_steps_ = 0;
  std::vector<ExtrapolatedSteps> own_steps_; ///< of the rank that is being run
  bool in_steps_ = false;
  std::optional<RankCalls> calls_; ///< none: the text itself is being run
};

} // namespace hypermile::application
