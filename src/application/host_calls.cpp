// What a rank does: the functions of the host that write it down.
#include "application/host.hpp"

#include "application/arguments.hpp"
#include "application/sandbox.hpp"
#include "runtime/pmpi/observe/communicator.hpp"

#include <fmt/format.h>
#include <lua.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace hypermile::application {
namespace {

constexpr double largest_message = std::numeric_limits<std::int32_t>::max(); // as MPI counts

int tag_at(lua_State* state, int index) {
  if (lua_isnoneornil(state, index))
    return 0;
  int exact = 0;
  const lua_Integer tag = lua_tointegerx(state, index, &exact);
  if (!is_number(state, index) || exact == 0 || tag < 0 || tag > 32767)
    raise(state, fmt::format("a tag must be a whole number, 0 to 32767, but is {}",
                             described(state, index)));
  return static_cast<int>(tag);
}

} // namespace

std::uint32_t Host::rank_at(lua_State* state, int index, const std::string& what) const {
  int exact = 0;
  const lua_Integer rank = lua_tointegerx(state, index, &exact);
  if (!is_number(state, index) || exact == 0 || rank < 0 ||
      static_cast<std::uint64_t>(rank) >= request_.ranks)
    raise(state, fmt::format("{} must be a rank of the job, 0 to {}, but is {}", what,
                             request_.ranks - 1, described(state, index)));
  return static_cast<std::uint32_t>(rank);
}

/// `bytes`: 0 where it receives.
std::optional<Side> Host::side(lua_State* state, int partner, int bytes, int tag,
                               const char* word) const {
  Side side;
  side.tag = tag_at(state, tag);
  if (bytes != 0)
    side.bytes = static_cast<std::uint64_t>(std::llround(
        amount_at(state, bytes, fmt::format("the bytes of {}", word), largest_message)));
  if (is_number(state, partner) && lua_tonumber(state, partner) == nobody)
    return std::nullopt;
  side.partner = rank_at(state, partner, fmt::format("the partner of {}", word));
  if (side.partner == rank_)
    raise(state, fmt::format("{} is with the rank itself, {}", word, rank_));
  return side;
}

int Host::compute(lua_State* state) {
  calls(state, "compute").compute(amount_at(state, 1, "the work of a computation", 1e18));
  return 0;
}

/// An expression in n, as a function of n. Its other names are those of the table behind it.
int Host::cost(lua_State* state) {
  const std::string expression = name_at(state, 1, "the cost of a computation");
  const std::string text = fmt::format("local n = ... return {}", expression);
  if (luaL_loadbufferx(state, text.data(), text.size(), "=cost", "t") != LUA_OK)
    raise(state,
          fmt::format("the cost '{}' is no expression ({})", expression, lua_tostring(state, -1)));
  lua_pushvalue(state, 2);
  lua_setupvalue(state, -2, 1);
  return 1;
}

int Host::send(lua_State* state) {
  RankCalls& calls = this->calls(state, "send");
  if (const auto to = side(state, 1, 2, 3, "send"))
    calls.send(*to, Sandbox::line_of(state));
  return 0;
}

int Host::receive(lua_State* state) {
  RankCalls& calls = this->calls(state, "recv");
  if (const auto from = side(state, 1, 0, 2, "recv"))
    calls.receive(*from, Sandbox::line_of(state));
  return 0;
}

/// word, to, bytes, from, tag.
int Host::exchange(lua_State* state) {
  const std::string word = name_at(state, 1, "a word");
  RankCalls& calls = this->calls(state, word.c_str());
  const auto to = side(state, 2, 3, 5, word.c_str());
  const auto from = side(state, 4, 0, 5, word.c_str());
  const std::uint32_t line = Sandbox::line_of(state);
  if (to && from)
    calls.exchange(*to, *from, line);
  else if (to)
    calls.send(*to, line);
  else if (from)
    calls.receive(*from, line);
  return 0;
}

int Host::start(lua_State* state, bool sends) {
  const char* const word = sends ? "isend" : "irecv";
  RankCalls& calls = this->calls(state, word);
  const auto with = side(state, 1, sends ? 2 : 0, sends ? 3 : 2, word);
  const std::uint32_t line = Sandbox::line_of(state);
  if (!with)
    lua_pushinteger(state, nobody);
  else
    lua_pushinteger(state, static_cast<lua_Integer>(sends ? calls.start_send(*with, line)
                                                          : calls.start_receive(*with, line)));
  return 1;
}

int Host::start_send(lua_State* state) { return start(state, true); }
int Host::start_receive(lua_State* state) { return start(state, false); }

/// What is given, one by one or as a list; without an argument, all.
int Host::wait(lua_State* state) {
  RankCalls& calls = this->calls(state, "wait");
  std::vector<std::size_t> started;
  const auto take = [&](int index) {
    const lua_Integer event = is_number(state, index) ? lua_tointeger(state, index) : -2;
    if (event == nobody)
      return;
    const auto number = static_cast<std::size_t>(event);
    if (event < 0 || !calls.open().contains(number) || std::ranges::count(started, number) > 0)
      raise(state, fmt::format("wait gets {}, which is nothing that isend or irecv has begun and "
                               "nobody has waited for",
                               described(state, index)));
    started.push_back(number);
  };
  const int arguments = lua_gettop(state);
  if (arguments == 0)
    for (const auto& [event, line] : calls.open())
      started.push_back(event);
  for (int i = 1; i <= arguments; ++i) {
    if (!lua_istable(state, i)) {
      take(i);
      continue;
    }
    for (lua_Integer k = 1; k <= luaL_len(state, i); ++k) {
      lua_rawgeti(state, i, k);
      take(-1);
      lua_pop(state, 1);
    }
  }
  calls.wait(started, Sandbox::line_of(state));
  return 0;
}

/// word, function, group, root, bytes.
int Host::collective(lua_State* state) {
  const std::string word = name_at(state, 1, "a word");
  RankCalls& calls = this->calls(state, word.c_str());
  static const std::vector<std::string> functions = function_names();
  const auto function = static_cast<Function>(std::ranges::find(functions, lua_tostring(state, 2)) -
                                              functions.begin());
  const auto number = static_cast<std::size_t>(lua_tointeger(state, 3));
  if (number >= groups_.size())
    raise(state, fmt::format("{} is called of something that group() has not made", word));
  const Group& group = groups_[number];
  const bool has_root = !lua_isnil(state, 4) || function == Function::Bcast ||
                        function == Function::Reduce || function == Function::Gather ||
                        function == Function::Scatter;
  const std::uint32_t root = has_root ? rank_at(state, 4, fmt::format("the root of {}", word)) : 0;
  if (has_root && !group.members.empty() && std::ranges::count(group.members, root) == 0)
    raise(state, fmt::format("rank {} is the root of {}, but no member of the group", root, word));
  const auto bytes = static_cast<std::uint64_t>(
      std::llround(amount_at(state, 5, fmt::format("the bytes of {}", word), largest_message)));
  calls.collective(function, group, root, bytes, rank_, Sandbox::line_of(state));
  return 0;
}

std::size_t Host::group_of(lua_State* state, const std::vector<std::uint32_t>& members) {
  const auto [known, is_new] = group_of_members_.try_emplace(members, groups_.size());
  if (is_new) {
    auto world = runtime::pmpi::Communicator::world(static_cast<int>(request_.ranks));
    const auto made = world.group_child(0, {members.begin(), members.end()});
    groups_.push_back({.number = made.number(),
                       .members = members,
                       .size = static_cast<std::uint32_t>(members.size())});
  }
  has_made_.resize(groups_.size(), false);
  if (!has_made_[known->second])
    calls(state, "group").make_group(groups_[known->second], Sandbox::line_of(state));
  has_made_[known->second] = true;
  return known->second;
}

int Host::group(lua_State* state) {
  (void)calls(state, "group");
  if (!lua_istable(state, 1))
    raise(state, fmt::format("a group needs a list of ranks, not {}", described(state, 1)));
  std::vector<std::uint32_t> members;
  for (lua_Integer k = 1; k <= luaL_len(state, 1); ++k) {
    lua_rawgeti(state, 1, k);
    members.push_back(rank_at(state, -1, "a member of a group"));
    lua_pop(state, 1);
  }
  std::vector<std::uint32_t> sorted = members;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end())
    raise(state, fmt::format("rank {} is twice in a group", *std::ranges::adjacent_find(sorted)));
  if (!std::ranges::binary_search(sorted, rank_))
    raise(state, fmt::format("rank {} makes a group of which it is no member", rank_));
  lua_pushinteger(state, static_cast<lua_Integer>(group_of(state, members)));
  return 1;
}

int Host::sleep(lua_State* state) {
  RankCalls& calls = this->calls(state, "sleep");
  calls.sleep(amount_at(state, 1, "the seconds of sleep", 1e9), Sandbox::line_of(state));
  return 0;
}

int Host::iteration(lua_State* state) {
  calls(state, "loop").begin_iteration(Sandbox::line_of(state));
  return 0;
}

} // namespace hypermile::application
