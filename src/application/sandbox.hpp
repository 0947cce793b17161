#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

struct lua_State;
struct lua_Debug;

namespace hypermile::application {

/// What is wrong with a model, and in which of its lines; 0: nobody knows.
struct ModelError : std::runtime_error {
  ModelError(const std::string& what, std::uint32_t at) : std::runtime_error(what), line(at) {}
  std::uint32_t line;
};

/// A Lua interpreter for texts that nobody trusts: they reach no files, no processes and no other
/// code, and need no more memory and instructions than they may. Every error in it is a ModelError.
class Sandbox {
public:
  /// `owner`: what owner_of() gives back. Throws ModelError if the memory is too little.
  Sandbox(void* owner, std::size_t memory);
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  [[nodiscard]] lua_State* state() const { return state_; }
  [[nodiscard]] static void* owner_of(lua_State* state);

  /// Pushes a function that runs the text. Its global variables are those of the table on top of
  /// the stack, which stays there.
  void load_model(const std::string& text);
  /// Our own text, whose lines no error names.
  void load_prelude(const std::string& text);
  /// Pops so many arguments and the function below them, pushes so many results.
  void call(int arguments, int results, std::uint64_t instructions);
  /// The line of the model that is being run; 0: none.
  [[nodiscard]] static std::uint32_t line_of(lua_State* state);

private:
  static void* allocate(void* sandbox, void* block, std::size_t old_size, std::size_t new_size);
  static void count(lua_State* state, lua_Debug* activation);
  static int explain(lua_State* state);
  [[noreturn]] void fail(int status);
  void load(const std::string& text, const char* name);

  void* owner_;
  std::size_t memory_left_;
  std::uint64_t instructions_left_ = 0;
  lua_State* state_ = nullptr;
};

} // namespace hypermile::application
