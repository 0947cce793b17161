#include "application/host.hpp"

#include "application/arguments.hpp"
#include "application/sandbox.hpp"
#include "runtime/pmpi/observe/communicator.hpp"

#include <fmt/format.h>
#include <lua.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <string_view>

namespace hypermile::application {
namespace {

constexpr std::size_t most_lines = 10'000;

/// Calls a function of the host. What it throws becomes an error of Lua; an error of Lua, which is
/// an exception of a type of its own, passes.
template <int (Host::*function)(lua_State*)> int guarded(lua_State* state) {
  std::array<char, 300> text{};
  try {
    return (static_cast<Host*>(Sandbox::owner_of(state))->*function)(state);
  } catch (const std::exception& error) {
    std::string_view(error.what()).copy(text.data(), text.size() - 1);
  }
  return luaL_error(state, "%s", text.data());
}

} // namespace

Host::Host(const Request& request) : request_(request) {
  const auto ranks = static_cast<int>(request.ranks);
  groups_.push_back({.number = runtime::pmpi::Communicator::world(ranks).number(),
                     .members = {},
                     .size = static_cast<std::uint32_t>(ranks)});
}

void Host::push_functions(lua_State* state) {
  static constexpr std::array<luaL_Reg, 25> functions{
      {{"param", guarded<&Host::param>},
       {"role", guarded<&Host::role>},
       {"assign", guarded<&Host::assign>},
       {"print", guarded<&Host::print>},
       {"compute", guarded<&Host::compute>},
       {"cost", guarded<&Host::cost>},
       {"send", guarded<&Host::send>},
       {"recv", guarded<&Host::receive>},
       {"exchange", guarded<&Host::exchange>},
       {"isend", guarded<&Host::start_send>},
       {"irecv", guarded<&Host::start_receive>},
       {"wait", guarded<&Host::wait>},
       {"collective", guarded<&Host::collective>},
       {"group", guarded<&Host::group>},
       {"sleep", guarded<&Host::sleep>},
       {"iteration", guarded<&Host::iteration>},
       {"begin_steps", guarded<&Host::begin_steps>},
       {"step", guarded<&Host::step>},
       {"end_steps", guarded<&Host::end_steps>},
       {"ranks_of", guarded<&Host::ranks_of>},
       {"role_and_place", guarded<&Host::role_and_place>},
       {"set_global", guarded<&Host::set_global>},
       {"number", guarded<&Host::number>},
       {"count", guarded<&Host::count>},
       {nullptr, nullptr}}};
  lua_newtable(state);
  luaL_setfuncs(state, functions.data(), 0);
  lua_pushinteger(state, nobody);
  lua_setfield(state, -2, "nobody");
  lua_pushinteger(state, static_cast<lua_Integer>(request_.ranks));
  lua_setfield(state, -2, "ranks");
}

void Host::check_is_loading(lua_State* state, const char* word) const {
  if (calls_ || !role_of_rank_.empty())
    raise(state, fmt::format("{} belongs at the outermost level of the model, not into a function "
                             "of a role",
                             word));
}

RankCalls& Host::calls(lua_State* state, const char* word) {
  if (!calls_)
    raise(state, fmt::format("{} is something that a rank does: it belongs into the function of a "
                             "role",
                             word));
  if (events_ + calls_->events() > request_.limits.events)
    raise(state, fmt::format("the ranks do more than {} things in all, which is the limit",
                             request_.limits.events));
  return *calls_;
}

int Host::param(lua_State* state) {
  check_is_loading(state, "param");
  Parameter parameter{.name = name_at(state, 1, "the name of a parameter"), .value = 0, .help = {}};
  if (!is_number(state, 2) || !std::isfinite(lua_tonumber(state, 2)))
    raise(state, fmt::format("the value of parameter '{}' must be a number, but is {}",
                             parameter.name, described(state, 2)));
  if (std::ranges::find(parameters_, parameter.name, &Parameter::name) != parameters_.end())
    raise(state, fmt::format("parameter '{}' is declared twice", parameter.name));
  if (!lua_isnoneornil(state, 3))
    parameter.help = name_at(state, 3, "the help of a parameter");
  const auto set = request_.set.find(parameter.name);
  parameter.value = set != request_.set.end() ? set->second : lua_tonumber(state, 2);
  parameters_.push_back(parameter);
  const bool whole =
      std::abs(parameter.value) < 1e15 && std::trunc(parameter.value) == parameter.value;
  if (whole)
    lua_pushinteger(state, static_cast<lua_Integer>(parameter.value));
  else
    lua_pushnumber(state, parameter.value);
  return 1;
}

int Host::role(lua_State* state) {
  check_is_loading(state, "role");
  const std::string name = name_at(state, 1, "the name of a role");
  if (!lua_isfunction(state, 2))
    raise(state, fmt::format("role '{}' needs a function, not {}", name, described(state, 2)));
  if (roles_.contains(name))
    raise(state, fmt::format("role '{}' is declared twice", name));
  if (roles_.empty())
    first_role_ = name;
  lua_settop(state, 2);
  roles_[name] = luaL_ref(state, LUA_REGISTRYINDEX);
  return 0;
}

int Host::assign(lua_State* state) {
  check_is_loading(state, "assign");
  if (!lua_isfunction(state, 1))
    raise(state, fmt::format("assign needs a function of rank and number of ranks, not {}",
                             described(state, 1)));
  if (assign_)
    raise(state, "roles are assigned twice");
  lua_settop(state, 1);
  assign_ = luaL_ref(state, LUA_REGISTRYINDEX);
  return 0;
}

void Host::check_parameters(lua_State* state) const {
  for (const auto& [name, value] : request_.set) {
    if (std::ranges::find(parameters_, name, &Parameter::name) != parameters_.end())
      continue;
    std::string known;
    for (const Parameter& parameter : parameters_)
      known += fmt::format("{}{}", known.empty() ? "" : ", ", parameter.name);
    raise(state, fmt::format("there is no parameter '{}'; {}", name,
                             known.empty() ? "the model declares none" : "there is " + known));
  }
}

const std::string& Host::ask_for_role(lua_State* state, std::uint32_t rank) const {
  if (!assign_)
    return first_role_;
  lua_rawgeti(state, LUA_REGISTRYINDEX, *assign_);
  lua_pushinteger(state, rank);
  lua_pushinteger(state, static_cast<lua_Integer>(request_.ranks));
  lua_call(state, 2, 1);
  const bool is_text = lua_type(state, -1) == LUA_TSTRING;
  const auto found = is_text ? roles_.find(lua_tostring(state, -1)) : roles_.end();
  if (found == roles_.end()) {
    std::string known;
    for (const auto& [name, function] : roles_)
      known += fmt::format("{}'{}'", known.empty() ? "" : ", ", name);
    raise(state, fmt::format("assign gives rank {} the role {}, but the model has {}", rank,
                             described(state, -1), known));
  }
  lua_pop(state, 1);
  return found->first;
}

void Host::assign_roles(lua_State* state) {
  check_parameters(state);
  if (roles_.empty())
    raise(state, "the model has no role; role(\"all\", function(p) ... end) declares one");
  if (!assign_ && roles_.size() > 1)
    raise(state, "the model has several roles and does not say which rank has which; "
                 "assign(function(rank, ranks) return \"...\" end) does");
  std::vector<std::string> roles;
  for (std::uint32_t rank = 0; rank < request_.ranks; ++rank) {
    roles.push_back(ask_for_role(state, rank));
    auto& same = ranks_of_role_[roles.back()];
    place_.push_back(static_cast<std::uint32_t>(same.size()));
    same.push_back(rank);
  }
  role_of_rank_ = std::move(roles);
}

void Host::play(lua_State* state, std::uint32_t rank) {
  rank_ = rank;
  calls_.emplace(groups_.front().number);
  has_made_.assign(groups_.size(), false);
  lua_getglobal(state, LUA_MATHLIBNAME);
  lua_getfield(state, -1, "randomseed");
  lua_pushinteger(state, 1);
  lua_pushinteger(state, rank);
  lua_call(state, 2, 0);
  const std::string& role = role_of_rank_[rank];
  lua_rawgeti(state, LUA_REGISTRYINDEX, roles_.at(role));
  lua_createtable(state, 0, 3);
  lua_pushinteger(state, rank);
  lua_setfield(state, -2, "rank");
  lua_pushinteger(state, static_cast<lua_Integer>(request_.ranks));
  lua_setfield(state, -2, "ranks");
  lua_pushlstring(state, role.data(), role.size());
  lua_setfield(state, -2, "role");
  lua_call(state, 1, 0);
  for (const auto& [event, line] : calls_->open())
    raise(state,
          fmt::format("what it starts in line {} it never waits for; wait() waits for all", line));
  check_all_steps(state);
}

model::RankTimeline Host::finish() {
  events_ += calls_->events();
  model::RankTimeline rank = calls_->finish();
  calls_.reset();
  if (steps_.empty()) {
    steps_ = own_steps_;
    rank_of_steps_ = rank_;
  }
  own_steps_.clear();
  return rank;
}

int Host::ranks_of(lua_State* state) {
  (void)calls(state, "ranks_of");
  const std::string role = name_at(state, 1, "the name of a role");
  if (!roles_.contains(role))
    raise(state, fmt::format("there is no role '{}'", role));
  const auto found = ranks_of_role_.find(role);
  lua_newtable(state);
  if (found == ranks_of_role_.end())
    return 1;
  lua_Integer place = 0;
  for (const std::uint32_t rank : found->second) {
    lua_pushinteger(state, rank);
    lua_rawseti(state, -2, ++place);
  }
  return 1;
}

/// Of the rank that is being run: role, place among those of the role from 1 on, rank.
int Host::role_and_place(lua_State* state) {
  const std::string& role = role_of_rank_[rank_];
  lua_pushlstring(state, role.data(), role.size());
  lua_pushinteger(state, place_[rank_] + 1);
  lua_pushinteger(state, rank_);
  return 3;
}

int Host::set_global(lua_State* state) {
  if (calls_)
    raise(state, fmt::format("the global variable {} is set by a rank, but ranks share nothing; "
                             "'local' makes a variable of the rank's own",
                             described(state, 1)));
  return 0;
}

/// value, what it is.
int Host::number(lua_State* state) {
  lua_pushnumber(state, amount_at(state, 1, name_at(state, 2, "a name")));
  return 1;
}

int Host::count(lua_State* state) {
  const std::string what = name_at(state, 2, "a name");
  int exact = 0;
  const lua_Integer count = lua_tointegerx(state, 1, &exact);
  if (!is_number(state, 1) || exact == 0 || count < 0)
    raise(state, fmt::format("{} must be a whole number that is not negative, but is {}", what,
                             described(state, 1)));
  lua_pushinteger(state, count);
  return 1;
}

int Host::print(lua_State* state) {
  if (++printed_ > most_lines)
    raise(state, fmt::format("print has been called {} times, which is the limit", most_lines));
  std::string line;
  for (int i = 1; i <= lua_gettop(state); ++i) {
    line += fmt::format("{}{}", i > 1 ? "\t" : "", luaL_tolstring(state, i, nullptr));
    lua_pop(state, 1);
  }
  if (request_.print)
    request_.print(line);
  return 0;
}

} // namespace hypermile::application
