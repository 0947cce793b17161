#include "doctor/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <sstream>

namespace hypermile::doctor {
namespace {

using backend::topology::print_cpus;

constexpr std::size_t text_column = 18;

/// "label    answer   text", the text in lines that fit a terminal.
/// What is there already, then a text in lines that fit a terminal, all but the first indented.
std::string wrapped(std::string lines, std::size_t indent, const std::string& text) {
  constexpr std::size_t width = 79;
  std::size_t column = lines.size();
  bool first_of_line = true;
  std::istringstream words(text);
  for (std::string word; words >> word; column += word.size()) {
    if (!first_of_line && column + 1 + word.size() > width) {
      lines += '\n';
      lines.append(indent, ' ');
      column = indent;
    } else if (!first_of_line) {
      lines += ' ';
      ++column;
    }
    first_of_line = false;
    lines += word;
  }
  return lines + "\n";
}

/// "label    answer   text".
std::string row(const std::string& label, const std::string& answer, const std::string& text) {
  return wrapped(fmt::format("{:<10}{:<8}", label, answer), text_column, text);
}

std::string plural(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string machine(const Examination& e) {
  std::vector<std::string> parts{e.host.kernel.empty() ? "Linux" : "Linux " + e.host.kernel};
  if (e.pinning.cores > 0)
    parts.push_back(plural(e.pinning.packages, "package") + ", " + plural(e.pinning.cores, "core") +
                    ", " + plural(e.pinning.online.size(), "CPU"));
  if (e.host.is_virtual)
    parts.push_back(e.host.hypervisor.empty()
                        ? "a virtual machine"
                        : fmt::format("a virtual machine ({})", e.host.hypervisor));
  if (!e.host.container.empty())
    parts.push_back(fmt::format("in a container ({})", e.host.container));
  return wrapped("", 0, fmt::format("{}", fmt::join(parts, "; ")));
}

/// Why a machine may have neither counters nor frequencies.
std::string because_of(const Host& host) {
  if (host.is_virtual)
    return "; in a virtual machine that is its host's: run hypermile on a machine of your own";
  return host.container.empty()
             ? ""
             : "; a container sees of it what it is given: run hypermile outside of it";
}

std::string energy_row(const Examination& e) {
  if (e.measures_energy()) {
    const bool platform = std::ranges::any_of(e.energy.zones, [](const auto& zone) {
      return zone.domain == backend::powercap::Domain::platform && zone.error == 0;
    });
    return row("energy", "yes",
               e.energy.measures + (platform ? "; the platform (psys), where that is more" : ""));
  }
  return row("energy", "no",
             e.energy.why_not + (e.energy.zones.empty() ? because_of(e.host) : "") +
                 "; an external meter's log: --meter wattmeter:FILE");
}

std::string gears_row(const Examination& e) {
  const cpufreq::Machine& machine = e.gears;
  std::vector<std::string> parts;
  if (!machine.driver.empty())
    parts.push_back(machine.driver);
  if (machine.gears) {
    const auto& gears = *machine.gears;
    parts.push_back(fmt::format("{}, {:.4g} to {:.4g} GHz", plural(gears.size(), "gear"),
                                gears.frequency(0).value() / 1e9,
                                gears.frequency(gears.size() - 1).value() / 1e9));
  }
  std::set<std::string> governors;
  for (const auto& policy : machine.policies)
    if (policy.online)
      governors.insert(policy.governor);
  if (!governors.empty())
    parts.push_back(fmt::format("governor {}", fmt::join(governors, ", ")));
  if (machine.turbo)
    parts.push_back(*machine.turbo ? "turbo on" : "turbo off");
  if (!machine.obstacle.empty()) {
    parts.push_back(machine.obstacle + (machine.driver.empty() ? because_of(e.host) : ""));
  } else if (e.guard.empty()) {
    parts.emplace_back("hypermile-guard, which restores them, is not installed; try: make install");
  }
  return row("gears", e.sets_gears() ? "yes" : "no", fmt::format("{}", fmt::join(parts, "; ")));
}

std::string pinning_row(const Examination& e) {
  const Pinning& pinning = e.pinning;
  if (!pinning.why_not.empty())
    return row("CPUs", "?", pinning.why_not);
  const bool all = std::ranges::includes(pinning.allowed, pinning.online);
  std::string text = all ? "all may be used"
                         : fmt::format("{} of {} may be used here: {}", pinning.allowed.size(),
                                       pinning.online.size(), print_cpus(pinning.allowed));
  if (!all && !pinning.cpuset.empty())
    text += fmt::format("; the control group allows {}", pinning.cpuset);
  if (pinning.quota)
    text += fmt::format("; the control group gives {:.3g} CPUs' time and holds up what computes "
                        "more, which no model expects",
                        *pinning.quota);
  return row("CPUs", all && !pinning.quota ? "all" : "some", text);
}

std::string node_row(const Examination& e) {
  switch (e.node.state) {
  case Node::State::free:
    return row("node", "free", "nobody sets its gears, and nothing is left to restore");
  case Node::State::in_use:
    return row("node", "in use", e.node.what + " sets its gears; another run measures only");
  case Node::State::left_behind:
    return row("node", "left", e.node.what);
  case Node::State::unknown:
    break;
  }
  return row("node", "?", e.node.what);
}

std::string name_of(const Mpi& mpi) { return mpi.flavour == "openmpi" ? "Open MPI" : "MPICH"; }

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string mpi_rows(const Examination& e) {
  if (e.mpi.empty())
    return row("MPI", "no", "no mpirun in PATH; try: apt-get install openmpi-bin or mpich");
  std::string rows;
  for (const Mpi& mpi : e.mpi) {
    if (mpi.flavour == "other")
      rows += row(
          "MPI", "no",
          fmt::format("{} says '{}': hypermile does not know this MPI", mpi.launcher, mpi.version));
    else if (mpi.library_installed)
      rows += row(name_of(mpi), mpi.version, mpi.launcher);
    else
      rows += row(name_of(mpi), "no",
                  fmt::format("{} is {} {}, for which this hypermile was not built: {} is missing; "
                              "try: make in a clone, with the compilers of that MPI installed",
                              mpi.launcher, name_of(mpi), mpi.version, file_name(mpi.library)));
  }
  return rows;
}

std::string simulator_row(const Examination& e) {
  const Simulator& simulator = e.simulator;
  if (!simulator.library_installed)
    return row("SimGrid", "no", "this hypermile was built without it; try: make in a clone");
  if (simulator.version.empty())
    return row("SimGrid", "no", "no smpirun in PATH; try: apt-get install libsimgrid-dev");
  return row("SimGrid", simulator.version, "hypermile simulate works");
}

/// What follows from all of it.
std::string verdict(const Examination& e) {
  if (e.measures_energy() && e.sets_gears())
    return "Here hypermile measures energy and sets gears.";
  if (e.measures_energy())
    return "Here hypermile measures energy but sets no gears: it says which it would set.";
  if (e.sets_gears())
    return "Here hypermile sets gears but measures no energy: it can be modelled.";
  return "Here hypermile measures times only: it says which gears it would set.";
}

std::string remedy(const Examination& e) {
  if (e.administrator_runs.empty())
    return "";
  return fmt::format("\nAn administrator allows more to the users of a group by typing once, as "
                     "root\nand on each node:\n\n{}\n\nUsers of the group then log in anew.\n",
                     fmt::join(e.administrator_runs, "\n"));
}

} // namespace

std::string print_examination(const Examination& e) {
  std::string text = fmt::format("hypermile on {}, as {}\n", e.host.name, e.host.user);
  text += machine(e) + "\n" + energy_row(e) + gears_row(e) + pinning_row(e) + node_row(e) +
          mpi_rows(e) + simulator_row(e) + "\n" + verdict(e) + "\n" + remedy(e);
  if (e.host.is_root && (e.measures_energy() || e.gears.obstacle.empty()))
    text += "\nThis is what root may do; ask as the user who will run the programs.\n";
  return text;
}

} // namespace hypermile::doctor
