#include "doctor/text.hpp"

#include "units/wrapped.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace hypermile::doctor {
namespace {

using backend::topology::print_cpus;

constexpr std::size_t text_column = 19;

/// "label      answer  text".
std::string row(const std::string& label, const std::string& answer, const std::string& text) {
  return labelled(fmt::format("{:<12}{:<7}", label, answer), text, text_column);
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
  return labelled("", fmt::format("{}", fmt::join(parts, "; ")), 0);
}

/// Why a machine may have neither counters nor frequencies.
std::string because_of(const Host& host) {
  if (host.is_virtual)
    return "; the host of a virtual machine keeps this to itself: run hypermile on a machine of "
           "your own";
  return host.container.empty()
             ? ""
             : "; a container sees only what it is given: run hypermile outside of it";
}

std::string capability_row(const Capability& one, const Host& host) {
  const control::Finding& finding = one.finding;
  std::vector<std::string> parts;
  for (const std::string& part : {finding.what, finding.why_not})
    if (!part.empty())
      parts.push_back(part);
  std::string text = fmt::format("{}", fmt::join(parts, "; "));
  if (finding.absent)
    text += because_of(host);
  else if (!finding.advice.empty() && finding.closed.empty()) // else the lines below say it
    text += "; try: " + finding.advice;
  return row(one.name, one.usable() ? "yes" : "no", text);
}

std::string capability_rows(const char* heading, const std::vector<Capability>& all,
                            const Host& host) {
  std::string text = fmt::format("{}\n", heading);
  for (const Capability& one : all)
    text += capability_row(one, host);
  return text + "\n";
}

std::string guard_row(const Examination& e) {
  return e.guard.empty() ? row("guard", "no",
                               "hypermile-guard, which restores gears, is not installed, so that "
                               "none is set; try: make install")
                         : "";
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
    text += fmt::format("; the control group gives {:.3g} CPUs' time and stops what computes "
                        "more, which no model expects",
                        *pinning.quota);
  return row("CPUs", all && !pinning.quota ? "all" : "some", text);
}

std::string node_row(const Examination& e) {
  switch (e.node.state) {
  case NodeUse::State::free:
    return row("node", "free", "nobody sets its gears, and nothing is left to restore");
  case NodeUse::State::in_use:
    return row("node", "in use", e.node.what + " sets its gears; another run measures only");
  case NodeUse::State::left_behind:
    return row("node", "left", e.node.what);
  case NodeUse::State::unknown:
    break;
  }
  return row("node", "?", e.node.what);
}

std::string name_of(const Mpi& mpi) { return mpi.flavour == "openmpi" ? "Open MPI" : "MPICH"; }

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// Of one that hypermile does not know.
std::string what_it_says(const Mpi& mpi) {
  if (!mpi.version.empty())
    return fmt::format("{} says '{}': hypermile does not know this MPI", mpi.launcher, mpi.version);
  return fmt::format("{0} --version prints nothing, or not in time, so hypermile does not know "
                     "which MPI this is; try: {0} --version",
                     mpi.launcher);
}

std::string mpi_rows(const Examination& e) {
  if (e.mpi.empty())
    return row("MPI", "no", "no mpirun in PATH; try: apt-get install openmpi-bin or mpich");
  std::string rows;
  for (const Mpi& mpi : e.mpi) {
    if (mpi.flavour == "other")
      rows += row("MPI", "no", what_it_says(mpi));
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
    return "Here hypermile measures energy but sets no gears. It says which it would set.";
  if (e.sets_gears())
    return "Here hypermile sets gears but measures no energy. Power tables can stand for it.";
  return "Here hypermile measures times only. It says which gears it would set.";
}

std::string remedy(const Examination& e) {
  if (e.administrator_runs.empty())
    return "";
  return fmt::format("\nAn administrator can allow more to a group of users. Type once, as root,\n"
                     "on each node:\n\n{}\n\nThe users of the group then log in again.\n",
                     fmt::join(e.administrator_runs, "\n"));
}

} // namespace

std::string print_examination(const Examination& e) {
  std::string text = fmt::format("hypermile on {}, as {}\n", e.host.name, e.host.user);
  text += machine(e) + "\n" + capability_rows("What measures energy (--meter)", e.meters, e.host) +
          capability_rows("What sets gears (--backend)", e.backends, e.host) +
          "What else matters\n" + guard_row(e) + pinning_row(e) + node_row(e) + mpi_rows(e) +
          simulator_row(e) + "\n" + verdict(e) + "\n" + remedy(e);
  if (e.host.is_root && (e.measures_energy() || e.sets_gears()))
    text += "\nRoot may do more than others; ask as the user who will run the programs.\n";
  return text;
}

} // namespace hypermile::doctor
