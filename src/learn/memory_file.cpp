// The bytes of a memory: those of a run's report, with what else is needed around them.

#include "learn/memory.hpp"

#include "runtime/exchange/archive.hpp"
#include "units/checksum.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <span>

namespace hypermile::learn {
namespace {

constexpr std::string_view memory_schema = "hypermile/memory/4\n";
constexpr std::size_t checksum_digits = 16;

struct Head {
  std::string program;
  std::vector<std::string> arguments;
  std::size_t runs = 1;
  std::vector<std::string> functions;
  std::string run; ///< as encode_run() has it
};

template <class Archive, runtime::Of<Head> T> void fields(Archive& archive, T& head) {
  archive(head.program, head.arguments, head.runs, head.functions, head.run);
}

[[noreturn]] void fail(const std::string& file, const std::string& what) {
  throw Error(ErrorKind::config, fmt::format("{}: {}", file, what),
              "remove the file; the next run learns anew");
}

std::string printed(std::uint64_t checksum) { return fmt::format("{:016x}", checksum); }

/// After the two lines of text.
std::string_view content_of(std::string_view bytes, const std::string& file) {
  if (!bytes.starts_with(memory_schema))
    fail(file, "is no memory of this version of hypermile (hypermile/memory/4)");
  bytes.remove_prefix(memory_schema.size());
  if (bytes.size() <= checksum_digits || bytes[checksum_digits] != '\n')
    fail(file, "is cut off");
  const std::string_view stated = bytes.substr(0, checksum_digits);
  bytes.remove_prefix(checksum_digits + 1);
  if (printed(checksum(bytes)) != stated)
    fail(file, "is damaged: its checksum is wrong");
  return bytes;
}

/// What the checksum cannot tell: who wrote it meant something else.
void check(const Memory& memory, const std::string& file) {
  if (memory.ranks.empty() || memory.runs == 0)
    fail(file, "is of no run");
  for (std::size_t r = 0; r < memory.ranks.size(); ++r) {
    const runtime::RankReport& rank = memory.ranks[r];
    if (static_cast<std::size_t>(rank.rank) != r || !rank.lesson)
      fail(file, fmt::format("has nothing of rank {}", r));
    for (const model::Operation& operation : rank.lesson->timeline.operations)
      if (operation.function >= memory.functions.size())
        fail(file, fmt::format("rank {} calls an MPI function without a name", r));
  }
}

} // namespace

std::string print_memory(const Memory& memory) {
  runtime::RunReport run;
  run.ranks = memory.ranks;
  run.power = memory.power;
  runtime::Writer writer;
  writer(Head{.program = memory.identity.program,
              .arguments = memory.identity.arguments,
              .runs = memory.runs,
              .functions = memory.functions,
              .run = runtime::encode_run(run)});
  const auto bytes = writer.take();
  const std::string content(bytes.begin(), bytes.end());
  return fmt::format("{}{}\n", memory_schema, printed(checksum(content))) + content;
}

Memory parse_memory(std::string_view bytes, const std::string& file) {
  const std::string_view content = content_of(bytes, file);
  try {
    Head head;
    runtime::Reader reader({reinterpret_cast<const std::uint8_t*>(content.data()), content.size()});
    fields(reader, head);
    if (!reader.at_end())
      fail(file, "is longer than it should be");
    auto run = runtime::decode_run(head.run);
    Memory memory{.identity = {std::move(head.program), std::move(head.arguments), {}},
                  .runs = head.runs,
                  .functions = std::move(head.functions),
                  .ranks = std::move(run.ranks),
                  .power = std::move(run.power)};
    for (const runtime::RankReport& rank : memory.ranks)
      memory.identity.nodes.push_back(rank.node);
    check(memory, file);
    return memory;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::config)
      throw;
    fail(file, error.what());
  }
}

} // namespace hypermile::learn
