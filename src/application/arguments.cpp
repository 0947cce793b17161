#include "application/arguments.hpp"

#include <fmt/format.h>
#include <lua.hpp>

#include <cmath>
#include <exception>
#include <string_view>

namespace hypermile::application {

void raise(lua_State* state, const std::string& what) {
  lua_pushlstring(state, what.data(), what.size());
  lua_error(state);
  std::terminate(); // lua_error() does not return, but is not declared so
}

/// As somebody would write it: "nil", "'abc'", "-3", "a table".
std::string described(lua_State* state, int index) {
  switch (lua_type(state, index)) {
  case LUA_TNONE:
  case LUA_TNIL:
    return "nil";
  case LUA_TNUMBER:
    return fmt::format("{:g}", lua_tonumber(state, index));
  case LUA_TSTRING:
    return fmt::format("'{}'",
                       std::string_view(lua_tostring(state, index)).substr(0, longest_name));
  default:
    return fmt::format("a {}", luaL_typename(state, index));
  }
}

bool is_number(lua_State* state, int index) { return lua_type(state, index) == LUA_TNUMBER; }

/// At least 0 and at most `largest`.
double amount_at(lua_State* state, int index, const std::string& what, double largest) {
  const double value = is_number(state, index) ? lua_tonumber(state, index) : -1;
  if (value >= 0 && value <= largest)
    return value;
  const bool too_large = value > largest && std::isfinite(value);
  raise(state, fmt::format("{} must be {}, but is {}", what,
                           too_large ? fmt::format("at most {:g}", largest)
                                     : "a number that is not negative",
                           described(state, index)));
}

std::string name_at(lua_State* state, int index, const char* what) {
  std::size_t length = 0;
  const char* const text =
      lua_type(state, index) == LUA_TSTRING ? lua_tolstring(state, index, &length) : nullptr;
  if (text == nullptr || length == 0 || length > longest_name)
    raise(state, fmt::format("{} must be a text of 1 to {} characters, but is {}", what,
                             longest_name, described(state, index)));
  return {text, length};
}

} // namespace hypermile::application
