#include "tune/mpich_tree.hpp"

#include "doctor/program_output.hpp"
#include "io/json_reader.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <filesystem>
#include <optional>
#include <set>

namespace hypermile::tune {
namespace {

using collective::Collective;
using Json = nlohmann::ordered_json; // MPICH takes the first condition that holds

const std::string intra = "comm_type=intra";
const std::string own_name = "MPICH's own selection tree";

std::string key_of(const Collective& collective) {
  return fmt::format("collective={}", collective.name);
}

std::string size_condition(const Collective& collective) {
  return collective.mpich_size == collective::RuleSize::times_all ? "total_msg_size"
                                                                  : "avg_msg_size";
}

Json only(std::string_view function) {
  return {{fmt::format("algorithm={}", function), Json::object()}};
}

/// The algorithm where it may be used, and what the library takes elsewhere: MPICH does not look
/// once the tree has sent it there. `own`: the library's part for this collective.
Json guarded(const Collective& collective, const collective::Algorithm& algorithm,
             const Json& own) {
  Json chosen = only(algorithm.function);
  if (algorithm.parts == collective::Parts::one_per_process_in_power_of_two) {
    const Json other = only(
        find_algorithm(collective, collective::Library::mpich, "recursive_doubling")->function);
    return {{"is_op_built_in=no", other},
            {"is_op_built_in=yes", {{"count<pow2", other}, {"count=any", chosen}}}};
  }
  const std::string in_place = "is_sendbuf_inplace=yes";
  if (own.contains(in_place))
    return {{in_place, own[in_place]}, {"is_sendbuf_inplace=no", chosen}};
  return chosen;
}

/// Sizes as conditions, each up to the next.
Json by_size(const Collective& collective, const Chosen& chosen, const Json& own) {
  const std::string name = size_condition(collective);
  Json level = Json::object();
  for (std::size_t i = 0; i < chosen.from.size(); ++i) {
    const auto& variant = chosen.from[i].variant;
    const bool last = i + 1 == chosen.from.size();
    const std::string condition =
        last ? name + "=any"
             : fmt::format(
                   "{}<{}", name,
                   rule_size_b(collective.mpich_size, chosen.from[i + 1].size_b, chosen.processes));
    level[condition] =
        variant
            ? guarded(collective,
                      *find_algorithm(collective, collective::Library::mpich, variant->algorithm),
                      own)
            : own;
  }
  return level;
}

/// The number after `prefix`, where the key is nothing else.
std::optional<std::size_t> number_after(std::string_view key, std::string_view prefix) {
  if (!key.starts_with(prefix))
    return std::nullopt;
  key.remove_prefix(prefix.size());
  std::size_t value = 0;
  const auto [end, status] = std::from_chars(key.data(), key.data() + key.size(), value);
  return status == std::errc{} && end == key.data() + key.size() && !key.empty()
             ? std::optional(value)
             : std::nullopt;
}

/// A condition on a size: "NAME<8", "NAME<=8", "NAME=any"; the numbers below its end, none: all.
struct Below {
  std::optional<std::size_t> end;
};
std::optional<Below> condition_on(std::string_view key, std::string_view name) {
  if (key == fmt::format("{}=any", name))
    return Below{};
  if (const auto end = number_after(key, fmt::format("{}<=", name)))
    return Below{*end + 1};
  if (const auto end = number_after(key, fmt::format("{}<", name)))
    return Below{*end};
  return std::nullopt;
}

/// Of a program that hypermile observes with: built-in operations, other buffers to receive into.
struct Call {
  std::size_t processes;
  std::size_t size_b;
};

/// Whether what is below a condition counts for this call; none: it is not known here.
std::optional<bool> holds(const Collective& collective, std::string_view key, const Call& call) {
  const auto below = [&](std::string_view name, std::size_t value) -> std::optional<bool> {
    const auto condition = condition_on(key, name);
    return condition ? std::optional(!condition->end || value < *condition->end) : std::nullopt;
  };
  if (key == intra || key == "is_op_built_in=yes" || key == "is_commutative=yes" ||
      key == "is_sendbuf_inplace=no" || key == "count=any")
    return true;
  if (key == "is_op_built_in=no" || key == "is_commutative=no" || key == "is_sendbuf_inplace=yes")
    return false;
  if (key == "comm_size=pow2")
    return std::has_single_bit(call.processes);
  if (key == "count<pow2")
    return call.size_b / collective.element_b < std::bit_floor(call.processes);
  if (const auto of_processes = below("comm_size", call.processes))
    return of_processes;
  if (const auto of_size = below("avg_msg_size", call.size_b))
    return of_size;
  return below("total_msg_size", call.size_b * call.processes);
}

/// Walks the part of a tree that is for one collective.
class Walker {
public:
  /// `own`: the library's part for it.
  Walker(const Collective& collective, std::string file, const Json& own)
      : collective_(collective), file_(std::move(file)) {
    collect(own);
    for (const auto& algorithm : collective.mpich)
      algorithms_.insert(fmt::format("algorithm={}", algorithm.function));
  }

  /// Every level with a condition on a size ends with "any"; every algorithm is one that hypermile
  /// knows, or of the library's own rules. Collects the numbers of processes at which something
  /// changes.
  void check(const Json& node, const std::string& path, std::set<std::size_t>& processes) const {
    if (!node.is_object())
      fail(path, "not an object");
    for (const auto& [key, below] : node.items()) {
      for (const char* const name : {"comm_size", "avg_msg_size", "total_msg_size"})
        if (const auto condition = condition_on(key, name); condition && condition->end) {
          if (*condition->end > 0 && std::string_view(name) == "comm_size")
            processes.insert(*condition->end);
          check_last(node, path, name);
        }
      if (key.starts_with("avg_msg_size") && size_condition(collective_) != "avg_msg_size")
        fail(path, fmt::format("'{}': MPICH has no such size for {}, and aborts the job", key,
                               collective_.name));
      if (!key.starts_with("algorithm="))
        check(below, fmt::format("{} > {}", path, key), processes);
      else if (!algorithms_.contains(key))
        fail(path, fmt::format("MPICH has no '{}' for {}", key, collective_.name));
    }
  }

  /// The algorithm; empty: what the library's own rules say, by conditions that are not known here.
  [[nodiscard]] std::string algorithm(const Json& node, const Call& call) const {
    for (const auto& [key, below] : node.items()) {
      if (key.starts_with("algorithm="))
        return name_of(key.substr(std::string_view("algorithm=").size()));
      const auto counts = holds(collective_, key, call);
      if (!counts)
        return "";
      if (*counts)
        return algorithm(below, call);
    }
    return "";
  }

  /// The sizes, as the rules measure them, at which something changes for so many processes.
  void changes(const Json& node, std::size_t processes, std::vector<std::size_t>& sizes) const {
    bool taken = false; // by a condition on processes, of which the first one counts
    for (const auto& [key, below] : node.items()) {
      if (key.starts_with("algorithm="))
        continue;
      if (key.starts_with("comm_size")) {
        const auto counts = holds(collective_, key, {processes, 0});
        if (taken || !counts.value_or(false))
          continue;
        taken = true;
      }
      if (const auto condition = condition_on(key, size_condition(collective_));
          condition && condition->end)
        sizes.push_back(*condition->end);
      changes(below, processes, sizes);
    }
  }

  [[noreturn]] void fail(const std::string& path, const std::string& what) const {
    throw Error(ErrorKind::config, fmt::format("{}: {}: {}", file_, path, what),
                "hypermile collective apply, which writes such files");
  }

private:
  void collect(const Json& node) {
    for (const auto& [key, below] : node.items())
      if (key.starts_with("algorithm="))
        algorithms_.insert(key);
      else
        collect(below);
  }

  void check_last(const Json& node, const std::string& path, const std::string& name) const {
    if (std::prev(node.end()).key() != name + "=any")
      fail(path, fmt::format("the last condition is not {}=any: MPICH has no algorithm for what is "
                             "left, and crashes",
                             name));
  }

  [[nodiscard]] std::string name_of(std::string_view function) const {
    const auto found =
        std::ranges::find(collective_.mpich, function, &collective::Algorithm::function);
    return found == collective_.mpich.end() ? "" : std::string(found->name);
  }

  const Collective& collective_;
  std::string file_;
  std::set<std::string> algorithms_{}; ///< that MPICH has for this collective
};

Json parse(std::string_view text, const std::string& file) {
  (void)io::parse_json(text, file); // which complains of keys that are there twice
  return Json::parse(text);
}

} // namespace

std::string mpich_own_tree(const std::string& program_folder) {
  const auto program = std::filesystem::path(program_folder) / "mpich" / "collectives";
  constexpr Seconds patience{20};
  const auto tree = doctor::output_of({program.string(), "tree"}, patience);
  if (!tree || tree->empty() || tree->front() != '{')
    throw Error(ErrorKind::unsupported,
                fmt::format("{} finds no selection tree in its MPICH library", program.string()),
                "MPICH 4.0, with which hypermile is built");
  return tree->substr(0, tree->find('\n'));
}

std::string mpich_tree(const std::vector<Choices>& all, const std::string& own) {
  Json tree = parse(own, own_name);
  for (const Choices& choices : all) {
    const std::string key = key_of(*choices.collective);
    if (!tree.contains(key) || !tree[key].contains(intra))
      throw Error(ErrorKind::unsupported,
                  fmt::format("MPICH's own selection tree has no {} with {}", key, intra));
    const Json own_part = tree[key][intra];
    Json level = Json::object();
    for (const Chosen& chosen : choices.chosen) {
      level[fmt::format("comm_size<{}", chosen.processes)] = own_part;
      level[fmt::format("comm_size<={}", chosen.processes)] =
          by_size(*choices.collective, chosen, own_part);
    }
    level["comm_size=any"] = own_part;
    tree[key][intra] = level;
  }
  return tree.dump(1) + "\n";
}

namespace {

std::vector<Expected> expected_in(const Collective& collective, const Walker& walker,
                                  const Json& part, std::size_t most) {
  std::set<std::size_t> ends;
  walker.check(part, key_of(collective), ends);
  std::set<std::size_t> process_counts{2, most};
  for (const std::size_t end : ends)
    process_counts.insert({end - 1, end});
  std::vector<Expected> all;
  for (const std::size_t processes : process_counts) {
    if (processes < 2 || processes > most)
      continue;
    std::vector<std::size_t> changes;
    walker.changes(part, processes, changes);
    for (const std::size_t size_b : sizes_at(collective, collective.mpich_size, changes, processes))
      all.push_back({.collective = &collective,
                     .processes = processes,
                     .size_b = size_b,
                     .algorithm = walker.algorithm(part, {processes, size_b})});
  }
  return all;
}

} // namespace

std::vector<Expected> expected_of_tree(std::string_view text, const std::string& file,
                                       const std::string& own, std::size_t most) {
  const Json tree = parse(text, file);
  const Json own_tree = parse(own, own_name);
  const auto fail = [&](const std::string& what) {
    throw Error(ErrorKind::config, fmt::format("{}: tree: {}", file, what),
                "hypermile collective apply, which writes such files");
  };
  if (!tree.is_object())
    fail("not an object");
  for (const auto& [key, unused] : own_tree.items())
    if (!tree.contains(key))
      fail(fmt::format("'{}' is missing: MPICH takes the file for all operations, and crashes in "
                       "those that it does not have",
                       key));
  std::vector<Expected> all;
  std::vector<Expected> changed;
  for (const Collective& collective : collective::collectives()) {
    const std::string key = key_of(collective);
    if (!own_tree.contains(key))
      continue;
    const Walker walker(collective, file, own_tree[key]);
    const auto expected = expected_in(collective, walker, tree[key], most);
    all.insert(all.end(), expected.begin(), expected.end());
    if (tree[key] != own_tree[key])
      changed.insert(changed.end(), expected.begin(), expected.end());
  }
  return changed.empty() ? all : changed;
}

} // namespace hypermile::tune
