#include "control/journal.hpp"

#include "control/small_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

namespace hypermile::control {
namespace {

constexpr std::string_view schema = "hypermile/journal/1";

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }

/// A word that is safe in a line; "-" for none.
std::string word(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return is_control(c) || c == ' '; }, '_');
  return text.empty() ? "-" : text;
}

/// Cuts the first word off.
std::string_view take_word(std::string_view& line) {
  const auto end = std::min(line.find(' '), line.size());
  const auto first = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return first;
}

template <class Number> bool take_number(std::string_view& line, Number& number) {
  const auto text = take_word(line);
  const char* const end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, number);
  return !text.empty() && status == std::errc{} && stop == end && number >= 0;
}

std::optional<Owner> read_owner(std::string_view line) {
  Owner owner;
  if (!take_number(line, owner.pid) || !take_number(line, owner.start) ||
      !take_number(line, owner.since))
    return std::nullopt;
  owner.job = take_word(line);
  owner.user = take_word(line);
  owner.program = line;
  if (owner.job.empty() || owner.user.empty())
    return std::nullopt;
  if (owner.job == "-")
    owner.job.clear();
  return owner;
}

/// A journal while it is read. Entries are kept by their paths: there may be many.
class Reading {
public:
  /// False: the line is none of a journal's.
  bool take(std::string_view line) {
    const auto kind = take_word(line);
    if (kind == "owner")
      return (owner_ = read_owner(line)).has_value();
    if (kind == "restored")
      return was_.erase(std::string(line)) > 0;
    if (kind != "was")
      return false;
    Entry entry;
    entry.value = take_word(line);
    entry.path = line;
    return can_be_journaled(entry) && was_.try_emplace(entry.path, ++count_, entry.value).second;
  }

  void end(Journal& journal) const {
    journal.owner = owner_;
    std::map<std::size_t, Entry> in_order;
    for (const auto& [path, was] : was_)
      in_order[was.first] = {path, was.second};
    for (const auto& [number, entry] : in_order)
      journal.entries.push_back(entry);
  }

private:
  std::optional<Owner> owner_;
  std::map<std::string, std::pair<std::size_t, std::string>> was_; ///< number of the line, value
  std::size_t count_ = 0;
};

/// For a terminal, on which a stranger's text must not act.
std::string printable(std::string_view line) {
  constexpr std::size_t most = 80;
  std::string text(line.substr(0, most));
  std::ranges::replace_if(
      text, [](char c) { return is_control(c) || static_cast<unsigned char>(c) > '~'; }, '?');
  return line.size() > most ? text + "..." : text;
}

bool read_begin(Journal& journal, std::string_view line, std::size_t number) {
  if (number == 1)
    return line == schema;
  if (take_word(line) != "boot")
    return false;
  journal.boot = line;
  return !line.empty() && journal.boot == word(journal.boot);
}

} // namespace

Journal parse_journal(std::string_view text, const std::string& file, std::string_view only) {
  Journal journal;
  Reading reading;
  std::size_t number = 1;
  for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n'), ++number) {
    const auto line = text.substr(0, end);
    text.remove_prefix(end + 1);
    const bool is_text = std::ranges::none_of(line, is_control);
    if (number <= 2 && !(is_text && read_begin(journal, line, number)))
      throw Error(ErrorKind::config,
                  fmt::format("{}:{}: this is no journal of hypermile", file, number),
                  "set by hand what it says, then remove the file");
    if (number > 2 && !(is_text && reading.take(line)))
      journal.bad.push_back(fmt::format("{}:{}: passed over, for it is no line of a journal: {}",
                                        file, number, printable(line)));
    if (number == 2 && !only.empty() && journal.boot != only)
      break;
  }
  reading.end(journal);
  return journal;
}

std::string begin_line(const std::string& boot) {
  return fmt::format("{}\nboot {}\n", schema, word(boot));
}

std::string owner_line(const Owner& owner) {
  std::string program = owner.program;
  std::ranges::replace_if(program, is_control, '?');
  return fmt::format("owner {} {} {} {} {} {}\n", owner.pid, owner.start, owner.since,
                     word(owner.job), word(owner.user), program);
}

std::string was_line(const Entry& entry) {
  return fmt::format("was {} {}\n", entry.value, entry.path);
}

std::string restored_line(const std::string& path) { return fmt::format("restored {}\n", path); }

bool can_be_journaled(const Entry& entry) {
  const auto has = [](const std::string& text, char c) { return text.find(c) != text.npos; };
  return !entry.value.empty() && entry.value.size() <= 64 && !has(entry.value, ' ') &&
         !std::ranges::any_of(entry.value, is_control) && entry.path.starts_with('/') &&
         entry.path.size() < 4096 && !std::ranges::any_of(entry.path, is_control);
}

std::string boot_id() { return read_small_file("/proc/sys/kernel/random/boot_id"); }

} // namespace hypermile::control
