#pragma once

#include <cstddef>
#include <limits>
#include <string>

struct lua_State;

/// What a function that Lua calls finds on the stack.
namespace hypermile::application {

/// Stands for a partner that there is not.
inline constexpr int nobody = -1;
inline constexpr std::size_t longest_name = 100; ///< or other text of a model, characters

/// As an error of Lua. Does not return.
[[noreturn]] void raise(lua_State* state, const std::string& what);

/// As somebody would write it: "nil", "'abc'", "-3", "a table".
[[nodiscard]] std::string described(lua_State* state, int index);
/// A text that looks like a number is none.
[[nodiscard]] bool is_number(lua_State* state, int index);

// These raise where there is something else, which they call `what`.

/// At least 0 and at most `largest`.
double amount_at(lua_State* state, int index, const std::string& what,
                 double largest = std::numeric_limits<double>::max());
/// Not empty.
std::string name_at(lua_State* state, int index, const char* what);

} // namespace hypermile::application
