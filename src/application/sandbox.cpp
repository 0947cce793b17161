#include "application/sandbox.hpp"

#include <lua.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <initializer_list>
#include <string_view>

namespace hypermile::application {
namespace {

/// What Lua calls the two texts: "@" and the name that its messages begin with.
constexpr const char* model_chunk = "@model";
constexpr const char* prelude_chunk = "@prelude";
constexpr int instructions_at_a_time = 1000;

/// "model:12: what" -> 12, and `message` without it. Without a number where it begins otherwise.
std::uint32_t take_line(std::string_view& message, const char* chunk) {
  const std::string_view name(chunk + 1);
  if (!message.starts_with(name) || !message.substr(name.size()).starts_with(":"))
    return 0;
  const std::string_view rest = message.substr(name.size() + 1);
  std::uint32_t line = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), line);
  const auto digits = static_cast<std::size_t>(end - rest.data());
  if (error != std::errc() || !rest.substr(digits).starts_with(": "))
    return 0;
  message = rest.substr(digits + 2);
  return line;
}

void remove_from(lua_State* state, const char* table, std::initializer_list<const char*> removed) {
  lua_getglobal(state, table);
  for (const char* name : removed) {
    lua_pushnil(state);
    lua_setfield(state, -2, name);
  }
  lua_pop(state, 1);
}

/// Without what reaches files or other texts, the collector, what catches the errors that end a
/// model which takes too long, and what takes long in a single instruction, so that nobody counts.
int open_libraries(lua_State* state) {
  luaL_requiref(state, LUA_GNAME, luaopen_base, 1);
  luaL_requiref(state, LUA_MATHLIBNAME, luaopen_math, 1);
  luaL_requiref(state, LUA_STRLIBNAME, luaopen_string, 1);
  luaL_requiref(state, LUA_TABLIBNAME, luaopen_table, 1);
  remove_from(state, LUA_GNAME,
              {"load", "loadfile", "dofile", "collectgarbage", "pcall", "xpcall", "warn", "_G"});
  remove_from(state, LUA_STRLIBNAME, {"dump", "find", "match", "gmatch", "gsub"});
  remove_from(state, LUA_TABLIBNAME, {"move"});
  return 0;
}

} // namespace

Sandbox::Sandbox(void* owner, std::size_t memory) : owner_(owner), memory_left_(memory) {
  state_ = lua_newstate(allocate, this);
  if (state_ == nullptr)
    throw ModelError("the memory limit is too small for Lua itself", 0);
  *static_cast<Sandbox**>(lua_getextraspace(state_)) = this;
  lua_pushcfunction(state_, open_libraries);
  if (lua_pcall(state_, 0, 0, 0) != LUA_OK) {
    lua_close(state_);
    throw ModelError("the memory limit is too small for Lua itself", 0);
  }
}

Sandbox::~Sandbox() { lua_close(state_); }

void* Sandbox::owner_of(lua_State* state) {
  return (*static_cast<Sandbox**>(lua_getextraspace(state)))->owner_;
}

void* Sandbox::allocate(void* sandbox, void* block, std::size_t old_size, std::size_t new_size) {
  auto& self = *static_cast<Sandbox*>(sandbox);
  std::size_t& left = self.memory_left_;
  const std::size_t old = block == nullptr ? 0 : old_size; // else it is a kind of object
  if (new_size == 0) {
    std::free(block);
    left += old;
    return nullptr;
  }
  if (new_size > left + old)
    return nullptr;
  // A single instruction may fill or copy it all.
  self.instructions_left_ -= std::min<std::uint64_t>(self.instructions_left_, new_size / 64);
  void* const moved = std::realloc(block, new_size);
  if (moved != nullptr)
    left = left + old - new_size;
  return moved;
}

void Sandbox::count(lua_State* state, lua_Debug* /*activation*/) {
  std::uint64_t& left = (*static_cast<Sandbox**>(lua_getextraspace(state)))->instructions_left_;
  if (left < static_cast<std::uint64_t>(instructions_at_a_time))
    luaL_error(state, "takes too many steps; is there a loop without end?");
  left -= static_cast<std::uint64_t>(instructions_at_a_time);
}

std::uint32_t Sandbox::line_of(lua_State* state) {
  lua_Debug at{};
  for (int level = 0; lua_getstack(state, level, &at) == 1; ++level) {
    lua_getinfo(state, "Sl", &at);
    if (std::string_view(at.source) == model_chunk)
      return static_cast<std::uint32_t>(at.currentline);
  }
  return 0;
}

/// Makes "model:LINE: what" of any error, while the stack still tells where it was.
int Sandbox::explain(lua_State* state) {
  const char* const text = luaL_tolstring(state, 1, nullptr);
  std::string_view what(text);
  std::uint32_t line = take_line(what, model_chunk);
  if (line == 0) {
    (void)take_line(what, prelude_chunk);
    line = line_of(state);
  }
  lua_pushfstring(state, "%s:%d: ", model_chunk + 1, static_cast<int>(line));
  lua_pushlstring(state, what.data(), what.size());
  lua_concat(state, 2);
  return 1;
}

/// With the message on top of the stack.
void Sandbox::fail(int status) {
  const char* const text = lua_tostring(state_, -1);
  std::string_view what(text == nullptr ? "an error without words" : text);
  const std::uint32_t line = take_line(what, model_chunk);
  const std::string message(what);
  lua_settop(state_, 0);
  throw ModelError(status == LUA_ERRMEM ? "needs more memory than a model may have" : message,
                   line);
}

void Sandbox::load(const std::string& text, const char* name) {
  const int status = luaL_loadbufferx(state_, text.data(), text.size(), name, "t");
  if (status != LUA_OK)
    fail(status);
}

void Sandbox::load_model(const std::string& text) {
  load(text, model_chunk);
  lua_pushvalue(state_, -2);
  lua_setupvalue(state_, -2, 1);
}

void Sandbox::load_prelude(const std::string& text) { load(text, prelude_chunk); }

void Sandbox::call(int arguments, int results, std::uint64_t instructions) {
  instructions_left_ = instructions;
  lua_sethook(state_, count, LUA_MASKCOUNT, instructions_at_a_time);
  const int handler = lua_gettop(state_) - arguments;
  lua_pushcfunction(state_, explain);
  lua_insert(state_, handler);
  const int status = lua_pcall(state_, arguments, results, handler);
  if (status != LUA_OK)
    fail(status);
  lua_remove(state_, handler);
}

} // namespace hypermile::application
