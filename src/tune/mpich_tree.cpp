#include "tune/mpich_tree.hpp"

#include "doctor/program_output.hpp"
#include "io/json_reader.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <set>

namespace hypermile::tune {
namespace {

using collective::Collective;
using Json = nlohmann::ordered_json; // MPICH takes the first condition that holds

const std::string intra = "comm_type=intra";

std::string key_of(const Collective& collective) {
  return fmt::format("collective={}", collective.name);
}

/// Sizes as conditions, each up to the next.
Json by_size(const Collective& collective, const Chosen& chosen, const Json& own) {
  Json level = Json::object();
  for (std::size_t i = 0; i < chosen.from.size(); ++i) {
    const auto& variant = chosen.from[i].variant;
    const std::string condition = i + 1 == chosen.from.size()
                                      ? "avg_msg_size=any"
                                      : fmt::format("avg_msg_size<{}", chosen.from[i + 1].size_b);
    if (!variant) {
      level[condition] = own;
      continue;
    }
    const auto* const algorithm =
        find_algorithm(collective, collective::Library::mpich, variant->algorithm);
    level[condition] = {{fmt::format("algorithm={}", algorithm->function), Json::object()}};
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

/// Walks the part of a tree that is for one collective.
class Walker {
public:
  Walker(const Collective& collective, std::string file)
      : collective_(collective), file_(std::move(file)) {}

  /// Every level with a condition on a size ends with "any"; every algorithm is one that hypermile
  /// knows, or of the library's own rules. Collects the sizes at which something changes.
  void check(const Json& node, const std::string& path, std::set<std::size_t>& processes,
             std::set<std::size_t>& sizes) const {
    if (!node.is_object())
      fail(path, "not an object");
    for (const auto& [key, below] : node.items()) {
      for (const char* const name : {"comm_size", "avg_msg_size", "total_msg_size"})
        if (const auto condition = condition_on(key, name); condition && condition->end) {
          if (*condition->end > 0)
            (std::string_view(name) == "comm_size" ? processes : sizes).insert(*condition->end);
          check_last(node, path, name);
        }
      if (key.starts_with("algorithm=MPIR_"))
        check_algorithm(key, path);
      else
        check(below, fmt::format("{} > {}", path, key), processes, sizes);
    }
  }

  /// The algorithm; empty: what the library's own rules say, by conditions that are not known here.
  [[nodiscard]] std::string algorithm(const Json& node, std::size_t processes,
                                      std::size_t size_b) const {
    for (const auto& [key, below] : node.items()) {
      if (key.starts_with("algorithm="))
        return name_of(key.substr(std::string_view("algorithm=").size()));
      const auto by_processes = condition_on(key, "comm_size");
      const auto by_size = condition_on(key, "avg_msg_size");
      if (key != intra && !by_processes && !by_size)
        return "";
      if ((by_processes && by_processes->end && processes >= *by_processes->end) ||
          (by_size && by_size->end && size_b >= *by_size->end))
        continue;
      return algorithm(below, processes, size_b);
    }
    return "";
  }

  [[noreturn]] void fail(const std::string& path, const std::string& what) const {
    throw Error(ErrorKind::config, fmt::format("{}: {}: {}", file_, path, what),
                "hypermile bcast apply, which writes such files");
  }

private:
  void check_last(const Json& node, const std::string& path, const std::string& name) const {
    if (std::prev(node.end()).key() != name + "=any")
      fail(path, fmt::format("the last condition is not {}=any: MPICH has no algorithm for what is "
                             "left, and crashes",
                             name));
  }

  void check_algorithm(const std::string& key, const std::string& path) const {
    const std::string prefix = "algorithm=MPIR_Bcast_";
    if (!key.starts_with(prefix))
      fail(path, fmt::format("'{}' is not an algorithm for {}", key, collective_.name));
    static const std::set<std::string> others{"intra_smp", "intra_nb",
                                              "inter_remote_send_local_bcast"};
    if (name_of(key.substr(std::string_view("algorithm=").size())).empty() &&
        !others.contains(key.substr(prefix.size())))
      fail(path, fmt::format("MPICH has no '{}'", key));
  }

  [[nodiscard]] std::string name_of(std::string_view function) const {
    const auto found =
        std::ranges::find(collective_.mpich, function, &collective::Algorithm::function);
    return found == collective_.mpich.end() ? "" : std::string(found->name);
  }

  const Collective& collective_;
  std::string file_;
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

std::string mpich_tree(const Collective& collective, const std::vector<Chosen>& all,
                       const std::string& own) {
  Json tree = parse(own, "MPICH's own selection tree");
  const std::string key = key_of(collective);
  if (!tree.contains(key) || !tree[key].contains(intra))
    throw Error(ErrorKind::unsupported,
                fmt::format("MPICH's own selection tree has no {} with {}", key, intra));
  const Json own_part = tree[key][intra];
  Json level = Json::object();
  for (const Chosen& chosen : all) {
    level[fmt::format("comm_size<{}", chosen.processes)] = own_part;
    level[fmt::format("comm_size<={}", chosen.processes)] = by_size(collective, chosen, own_part);
  }
  level["comm_size=any"] = own_part;
  tree[key][intra] = level;
  return tree.dump(1) + "\n";
}

std::vector<Expected> expected_of_tree(const Collective& collective, std::string_view text,
                                       const std::string& file, const std::string& own,
                                       std::size_t most) {
  const Json tree = parse(text, file);
  const Walker walker(collective, file);
  if (!tree.is_object())
    walker.fail("tree", "not an object");
  const Json own_tree = parse(own, "MPICH's own selection tree");
  for (const auto& [key, unused] : own_tree.items())
    if (!tree.contains(key))
      walker.fail("tree",
                  fmt::format("'{}' is missing: MPICH takes the file for all operations, and "
                              "crashes in those that it does not have",
                              key));
  std::set<std::size_t> ends;
  std::set<std::size_t> size_ends{1025};
  const Json& part = tree[key_of(collective)];
  walker.check(part, key_of(collective), ends, size_ends);
  std::set<std::size_t> process_counts{2, most};
  for (const std::size_t end : ends)
    process_counts.insert({end - 1, end});
  std::vector<Expected> all;
  for (const std::size_t processes : process_counts)
    for (const std::size_t end : size_ends)
      for (const std::size_t size_b : {end - 1, end})
        if (processes >= 2 && processes <= most && size_b >= 1 && size_b <= 1U << 30U)
          all.push_back({.processes = processes,
                         .size_b = size_b,
                         .algorithm = walker.algorithm(part, processes, size_b)});
  return all;
}

} // namespace hypermile::tune
