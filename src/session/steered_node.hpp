#pragma once

#include "session/steering.hpp"

#include "backend/process/supervisor.hpp"
#include "control/affinity.hpp"
#include "control/ports.hpp"
#include "machine/registry.hpp"
#include "model/platform.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hypermile::session {

/// By what a program is steered, as a user asks for it.
struct SteeredNodeOptions {
  std::string backend = "auto";              ///< as machine/registry.hpp names them, or "cores"
  std::string meter = "auto";                ///< likewise
  machine::Options options{};                ///< of the backends
  std::optional<model::NodeType> emulated{}; ///< by the backend of that name; none: assumed
  /// Whose power limits are the gears, with the speeds under them; none: they are assumed.
  std::optional<model::NodeType> limited{};
  std::string guard; ///< hypermile-guard, an absolute path
};

/// This node, as far as a program on it is steered. Everything that is set is restored when it
/// goes away, or when this process ends in whatever way.
class SteeredNode {
public:
  /// `allowed`: the CPUs that the program may run on; `program`: what others are told. Throws
  /// Error{unsupported, hardware} where a backend that was asked for by its name cannot be used.
  SteeredNode(const SteeredNodeOptions& options, const control::CpuSet& allowed,
              const std::string& program);
  ~SteeredNode();
  SteeredNode(const SteeredNode&) = delete;
  SteeredNode& operator=(const SteeredNode&) = delete;

  /// The program is there: gears that only it can be given are set by its supervisor. Both must
  /// outlive this.
  void attach(backend::process::Supervisor& supervisor, const control::Clock& clock);

  /// Sets nothing any more, and restores what was set. Returns what could not be, as a user reads
  /// it.
  std::vector<std::string> release();

  [[nodiscard]] const NodeLayout& node() const;
  [[nodiscard]] control::Actuator* gears();
  [[nodiscard]] control::Meter& meter();

  /// "cpufreq", "emulated", "cores": what sets gears; "cores": nothing does.
  [[nodiscard]] const std::string& backend() const;
  /// "2 packages, 2 DRAM"; "emulated"; empty: power is not known, but assumed.
  [[nodiscard]] const std::string& measures() const;
  /// What a user should know.
  [[nodiscard]] const std::vector<std::string>& remarks() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A node of this many cores with gears from 2.4 to 1.2 GHz that draws 20 W, and 80 W more where
/// all cores compute in gear 0: for trying things out.
model::NodeType assumed_node(std::size_t cores);

} // namespace hypermile::session
