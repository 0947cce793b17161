#include "application/application_model.hpp"

#include "application/host.hpp"
#include "application/prelude.hpp"
#include "application/sandbox.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <lua.hpp>

namespace hypermile::application {
namespace {

Host& host_of(lua_State* state) { return *static_cast<Host*>(Sandbox::owner_of(state)); }

int push_functions(lua_State* state) {
  host_of(state).push_functions(state);
  return 1;
}

int assign_roles(lua_State* state) {
  host_of(state).assign_roles(state);
  return 0;
}

int play(lua_State* state) {
  host_of(state).play(state, static_cast<std::uint32_t>(lua_tointeger(state, 1)));
  return 0;
}

std::string place(const std::string& file, const ModelError& error) {
  return error.line == 0 ? file : fmt::format("{}:{}", file, error.line);
}

/// Declares what the text declares, with its global variables.
void load(Sandbox& sandbox, const std::string& text, const Limits& limits) {
  sandbox.load_prelude(prelude);
  lua_pushcfunction(sandbox.state(), push_functions);
  sandbox.call(0, 1, limits.instructions);
  sandbox.call(1, 1, limits.instructions);
  sandbox.load_model(text);
  sandbox.call(0, 0, limits.instructions);
  lua_pushcfunction(sandbox.state(), assign_roles);
  sandbox.call(0, 0, limits.instructions);
}

} // namespace

ModelRun run_model(const std::string& text, const std::string& file, const Request& request) {
  Host host(request);
  try {
    Sandbox sandbox(&host, request.limits.memory);
    load(sandbox, text, request.limits);
    ModelRun run{.file = file,
                 .parameters = host.parameters(),
                 .roles = host.roles(),
                 .extrapolated = {},
                 .timeline = {.functions = function_names(), .ranks = {}}};
    for (std::uint32_t rank = 0; rank < request.ranks; ++rank) {
      try {
        lua_pushcfunction(sandbox.state(), play);
        lua_pushinteger(sandbox.state(), rank);
        sandbox.call(1, 0, request.limits.instructions);
      } catch (const ModelError& error) {
        throw Error(ErrorKind::config, fmt::format("{}: rank {}, role '{}': {}", place(file, error),
                                                   rank, host.roles()[rank], error.what()));
      }
      run.timeline.ranks.push_back(host.finish());
    }
    run.extrapolated = host.extrapolated();
    return run;
  } catch (const ModelError& error) {
    throw Error(ErrorKind::config, fmt::format("{}: {}", place(file, error), error.what()));
  }
}

} // namespace hypermile::application
