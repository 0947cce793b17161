#include "tune/openmpi_rules.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

namespace hypermile::tune {
namespace {

using collective::Collective;

/// The numbers of a file, with # comments, and the line of each.
class Numbers {
public:
  Numbers(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  std::size_t next(const std::string& what, std::size_t most) {
    skip();
    const auto end = std::find_if(rest_.begin(), rest_.end(),
                                  [](unsigned char c) { return std::isspace(c) != 0 || c == '#'; });
    const std::string_view word = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    if (word.empty())
      fail(fmt::format("the file ends where {} should be", what));
    std::size_t value = 0;
    const auto [stop, status] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (status != std::errc{} || stop != word.data() + word.size())
      fail(fmt::format("'{}' is not {}", word, what));
    if (value > most)
      fail(fmt::format("{} is more than {} can be, {}", word, what, most));
    rest_.remove_prefix(word.size());
    return value;
  }

  void expect_end() {
    skip();
    if (!rest_.empty())
      fail("there is text after the last rule, which Open MPI does not read");
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::config, fmt::format("{}:{}: {}", file_, line_, what),
                "hypermile collective apply, which writes such files");
  }

private:
  void skip() {
    while (!rest_.empty()) {
      if (rest_.front() == '#')
        rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
      else if (std::isspace(static_cast<unsigned char>(rest_.front())) == 0)
        return;
      else {
        line_ += rest_.front() == '\n' ? 1 : 0;
        rest_.remove_prefix(1);
      }
    }
  }

  std::string_view rest_;
  const std::string& file_;
  std::size_t line_ = 1;
};

constexpr std::size_t most_entries = 100000;
constexpr std::size_t largest_communicator = 1U << 30U;
constexpr std::size_t largest_b = std::size_t{1} << 40U;
constexpr std::size_t most_collectives = 100;

OpenmpiRule read_rule(Numbers& numbers, const OpenmpiRule* before) {
  OpenmpiRule rule{.size_b = numbers.next("a message size", largest_b)};
  if (before == nullptr && rule.size_b != 0)
    numbers.fail(fmt::format("the first size of a block is {}: Open MPI ignores the whole file "
                             "unless it is 0",
                             rule.size_b));
  if (before != nullptr && rule.size_b <= before->size_b)
    numbers.fail(
        fmt::format("size {} comes after {}: sizes must ascend, since Open MPI stops at the "
                    "first that is larger",
                    rule.size_b, before->size_b));
  rule.algorithm = static_cast<int>(numbers.next("an algorithm", most_entries));
  rule.fanout = static_cast<int>(numbers.next("a fan-out", most_entries));
  rule.segment_b = numbers.next("a segment size", largest_b);
  return rule;
}

OpenmpiBlock read_block(Numbers& numbers, const OpenmpiBlock* before) {
  OpenmpiBlock block{.processes = numbers.next("a communicator size", largest_communicator)};
  if (before == nullptr && block.processes != 0)
    numbers.fail(fmt::format("there is no catch-all: the first block is for {} processes, and Open "
                             "MPI uses it for smaller communicators, too. A first block for 0 is "
                             "missing",
                             block.processes));
  if (before != nullptr && block.processes <= before->processes)
    numbers.fail(fmt::format("the block for {} processes comes after that for {}: blocks must "
                             "ascend, else Open MPI takes the wrong one",
                             block.processes, before->processes));
  const std::size_t count = numbers.next("a number of message sizes", most_entries);
  if (count == 0)
    numbers.fail("a block without rules");
  for (std::size_t i = 0; i < count; ++i) {
    const OpenmpiRule rule = read_rule(numbers, i == 0 ? nullptr : &block.rules.back());
    block.rules.push_back(rule);
  }
  return block;
}

std::vector<OpenmpiBlock> read_blocks(Numbers& numbers) {
  const std::size_t count = numbers.next("a number of communicator sizes", most_entries);
  if (count == 0)
    numbers.fail("a collective without blocks");
  std::vector<OpenmpiBlock> blocks;
  for (std::size_t i = 0; i < count; ++i) {
    OpenmpiBlock block = read_block(numbers, i == 0 ? nullptr : &blocks.back());
    blocks.push_back(std::move(block));
  }
  return blocks;
}

const collective::Algorithm* algorithm_of(const Collective& collective, int number) {
  const auto found = std::ranges::find(collective.openmpi, number, &collective::Algorithm::number);
  return found == collective.openmpi.end() ? nullptr : &*found;
}

void check_algorithms(const Numbers& numbers, const Collective& collective,
                      const std::vector<OpenmpiBlock>& blocks) {
  for (std::size_t i = 0; i < blocks.size(); ++i)
    for (const OpenmpiRule& rule : blocks[i].rules) {
      const auto* const algorithm = algorithm_of(collective, rule.algorithm);
      if (rule.algorithm != 0 && algorithm == nullptr)
        numbers.fail(fmt::format("{} has no algorithm {}: Open MPI would abort the job",
                                 collective.name, rule.algorithm));
      const bool for_two =
          blocks[i].processes <= 2 && i + 1 < blocks.size() && blocks[i + 1].processes == 3;
      if (algorithm != nullptr && algorithm->processes == collective::Processes::two && !for_two)
        numbers.fail(fmt::format("{} of {} is for 2 processes only, and the block from {} on for "
                                 "more: Open MPI would abort the job",
                                 algorithm->name, collective.name, blocks[i].processes));
    }
}

OpenmpiRule rule_of(const Collective& collective, const ChosenFrom& from, std::size_t processes) {
  OpenmpiRule rule{.size_b = rule_size_b(collective.openmpi_size, from.size_b, processes)};
  if (from.variant) {
    rule.algorithm =
        find_algorithm(collective, collective::Library::openmpi, from.variant->algorithm)->number;
    rule.segment_b = from.variant->segment_b;
  }
  return rule;
}

std::string name_of(const Collective& collective, int number) {
  const auto* const algorithm = algorithm_of(collective, number);
  return algorithm == nullptr ? "" : std::string(algorithm->name);
}

/// The last whose `key` is at most `value`.
template <class Entry, class Key>
const Entry& last_up_to(const std::vector<Entry>& entries, Key key, std::size_t value) {
  const Entry* found = &entries.front();
  for (const Entry& entry : entries)
    if (entry.*key <= value)
      found = &entry;
  return *found;
}

} // namespace

OpenmpiRules openmpi_rules(const Choices& choices) {
  OpenmpiRules rules{.collective = choices.collective, .blocks = {{.processes = 0, .rules = {{}}}}};
  auto& blocks = rules.blocks;
  for (const Chosen& chosen : choices.chosen) {
    OpenmpiBlock block{.processes = chosen.processes};
    for (const ChosenFrom& from : chosen.from)
      block.rules.push_back(rule_of(*choices.collective, from, chosen.processes));
    if (blocks.back().processes == chosen.processes) // of those that are larger than the last
      blocks.pop_back();
    blocks.push_back(std::move(block));
    blocks.push_back({.processes = chosen.processes + 1, .rules = {{}}});
  }
  return rules;
}

namespace {

std::string text_of(const OpenmpiRules& rules) {
  const Collective& collective = *rules.collective;
  std::string text =
      fmt::format("{} # {}{}\n{} # communicator sizes\n", collective.openmpi_rule, collective.name,
                  collective.openmpi_size == collective::RuleSize::times_all
                      ? ", sizes times the number of processes"
                      : "",
                  rules.blocks.size());
  for (const OpenmpiBlock& block : rules.blocks) {
    text += fmt::format("{} # processes and more\n{} # message sizes\n", block.processes,
                        block.rules.size());
    for (const OpenmpiRule& rule : block.rules)
      text += fmt::format(
          "{} {} {} {} # {}\n", rule.size_b, rule.algorithm, rule.fanout, rule.segment_b,
          rule.algorithm == 0 ? "as Open MPI chooses" : name_of(collective, rule.algorithm));
  }
  return text;
}

} // namespace

std::string openmpi_rules_text(const std::vector<OpenmpiRules>& all) {
  std::string text =
      fmt::format("# Dynamic rules of Open MPI 4.1, written by hypermile collective apply.\n"
                  "# Algorithm 0: what Open MPI chooses by itself.\n"
                  "{} # collectives\n",
                  all.size());
  for (const OpenmpiRules& rules : all)
    text += text_of(rules);
  return text;
}

std::vector<OpenmpiRules> parse_openmpi_rules(std::string_view text, const std::string& file) {
  Numbers numbers(text, file);
  std::vector<OpenmpiRules> all;
  std::set<std::size_t> seen;
  const std::size_t count = numbers.next("a number of collectives", most_collectives);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t number = numbers.next("the number of a collective", most_collectives);
    if (!seen.insert(number).second)
      numbers.fail(fmt::format("collective {} comes twice", number));
    auto blocks = read_blocks(numbers);
    const auto known = std::ranges::find(collective::collectives(), static_cast<int>(number),
                                         &Collective::openmpi_rule);
    if (known == collective::collectives().end())
      continue;
    check_algorithms(numbers, *known, blocks);
    all.push_back({.collective = &*known, .blocks = std::move(blocks)});
  }
  numbers.expect_end();
  if (all.empty())
    numbers.fail("there are no rules for a collective that hypermile knows");
  return all;
}

std::vector<Expected> expected_of(const OpenmpiRules& rules, std::size_t most) {
  const Collective& collective = *rules.collective;
  std::set<std::size_t> process_counts{2, most};
  for (const OpenmpiBlock& block : rules.blocks)
    process_counts.insert({std::max<std::size_t>(block.processes, 1) - 1, block.processes});
  std::vector<Expected> all;
  for (const std::size_t processes : process_counts) {
    if (processes < 2 || processes > most)
      continue;
    const auto& block = last_up_to(rules.blocks, &OpenmpiBlock::processes, processes);
    std::vector<std::size_t> changes;
    for (const OpenmpiRule& rule : block.rules)
      if (rule.size_b > 1)
        changes.push_back(rule.size_b);
    for (const std::size_t size_b :
         sizes_at(collective, collective.openmpi_size, changes, processes)) {
      const auto& rule = last_up_to(block.rules, &OpenmpiRule::size_b,
                                    rule_size_b(collective.openmpi_size, size_b, processes));
      all.push_back({.collective = &collective,
                     .processes = processes,
                     .size_b = size_b,
                     .algorithm = name_of(collective, rule.algorithm)});
    }
  }
  return all;
}

} // namespace hypermile::tune
