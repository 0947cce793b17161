// MPICH. Its algorithms are functions inside the library, which nobody outside sees called. What
// can be seen are the messages, where they go through UCX: which parts of which buffer each rank
// sends, and how often. That tells the algorithms apart.

#include "tune/program/library.hpp"

#include "tune/program/tool_variable.hpp"

#include <dlfcn.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <string_view>

namespace {

using hypermile::tune::Lengths;
using hypermile::tune::Operation;
using hypermile::tune::Watched;

/// The messages of a rank during an operation.
struct Messages {
  long whole = 0;     ///< of the size of a message
  long other = 0;     ///< of another size
  long elsewhere = 0; ///< of these, those from neither buffer
  long first_block =
      std::numeric_limits<int>::max(); ///< from which part of the buffer that is sent
};

std::optional<Watched> watched;
Messages messages;
int depth = 0; // UCX calls this function from itself

bool within(const char* bytes, const char* buffer, std::size_t length) {
  return buffer != nullptr && bytes >= buffer && bytes < buffer + length;
}

/// Barriers are messages without a byte, and from no buffer.
void note(const char* bytes, std::size_t count) {
  if (!watched)
    return;
  const auto size = static_cast<std::size_t>(watched->size_b);
  const Lengths lengths =
      hypermile::tune::lengths_of(watched->operation, watched->size_b, watched->ranks);
  const bool sent = within(bytes, watched->buffers.send, lengths.send_b);
  const bool elsewhere = !sent && !within(bytes, watched->buffers.receive, lengths.receive_b);
  if (elsewhere && count == 0)
    return;
  ++(count == size ? messages.whole : messages.other);
  messages.elsewhere += elsewhere ? 1 : 0;
  if (sent && messages.first_block == Messages{}.first_block)
    messages.first_block = (bytes - watched->buffers.send) / static_cast<std::ptrdiff_t>(size);
}

} // namespace

// Parameters as in ucp/api/ucp.h of UCX 1.8 and later.
extern "C" void* ucp_tag_send_nbx(void* endpoint, const void* buffer, std::size_t count,
                                  std::uint64_t tag, const void* parameters) {
  using Function = void* (*)(void*, const void*, std::size_t, std::uint64_t, const void*);
  static const auto next = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "ucp_tag_send_nbx"));
  if (next == nullptr)
    std::abort(); // MPICH has called us by this name
  if (depth == 0)
    note(static_cast<const char*>(buffer), count);
  ++depth;
  void* const request = next(endpoint, buffer, count, tag, parameters);
  --depth;
  return request;
}

namespace hypermile::tune {
namespace {

std::string variable_of(Operation operation, const char* what) {
  switch (operation) {
  case Operation::bcast:
    return std::string("MPIR_CVAR_BCAST_") + what;
  case Operation::allreduce:
    return std::string("MPIR_CVAR_ALLREDUCE_") + what;
  case Operation::allgather:
    return std::string("MPIR_CVAR_ALLGATHER_") + what;
  case Operation::alltoall:
    return std::string("MPIR_CVAR_ALLTOALL_") + what;
  case Operation::scatter: // is left to the library
    break;
  }
  return "";
}

/// log2, rounded up.
long doublings_of(long ranks) {
  long doublings = 0;
  while ((1L << doublings) < ranks)
    ++doublings;
  return doublings;
}

/// Of all ranks together; the first block is that of rank 0.
struct Pattern {
  long ranks;
  long whole;
  long other;
  long elsewhere;
  long first_block;
  [[nodiscard]] long doublings() const { return doublings_of(ranks); }
  [[nodiscard]] bool power_of_two() const { return 1L << doublings() == ranks; }
};

/// A binomial tree sends the whole buffer to each other rank. A scatter sends a part to each of
/// them; a ring then lets each rank send p - 1 parts. Recursive doubling sends larger parts: log2 p
/// for each rank where p is a power of two, and otherwise a number of its own, which was seen to
/// differ from that of the ring for all p from 3 to 12. With two ranks both are the same.
const char* broadcast(const Pattern& pattern) {
  const long others = pattern.ranks - 1;
  if (pattern.elsewhere != 0)
    return "?";
  if (pattern.whole == others && pattern.other == 0)
    return "binomial";
  if (pattern.whole != 0)
    return "?";
  if (pattern.ranks == 2 && pattern.other == 3)
    return "scatter_ring_allgather=scatter_recursive_doubling_allgather";
  if (pattern.other == others + pattern.ranks * others)
    return "scatter_ring_allgather";
  return !pattern.power_of_two() || pattern.other == others + pattern.ranks * pattern.doublings()
             ? "scatter_recursive_doubling_allgather"
             : "?";
}

/// Recursive doubling sends whole vectors only. The other one sends parts in twice log2 p steps,
/// and with numbers of ranks that are no power of two a few whole vectors before and after that.
const char* allreduce(const Pattern& pattern) {
  const long doublings = pattern.doublings() - (pattern.power_of_two() ? 0 : 1);
  const long inner = 1L << doublings;
  const long outer = 2 * (pattern.ranks - inner);
  const long steps = inner * doublings;
  if (pattern.whole == outer + steps && pattern.other == 0)
    return "recursive_doubling";
  return pattern.whole == outer && pattern.other == 2 * steps ? "reduce_scatter_allgather" : "?";
}

/// Bruck's algorithm collects in memory of its own. A ring sends p - 1 messages from each rank,
/// recursive doubling one and then larger ones.
const char* allgather(const Pattern& pattern) {
  const long all = pattern.whole + pattern.other;
  if (pattern.elsewhere == all && all == pattern.ranks * pattern.doublings())
    return "brucks";
  if (pattern.elsewhere != 0)
    return "?";
  if (pattern.ranks == 2 && pattern.whole == 2 && all == 2)
    return "ring=recursive_doubling";
  if (pattern.whole == all && all == pattern.ranks * (pattern.ranks - 1))
    return "ring";
  return pattern.power_of_two() && all == pattern.ranks * pattern.doublings() ? "recursive_doubling"
                                                                              : "?";
}

/// Bruck's algorithm sends from memory of its own. The others send p - 1 messages from each rank:
/// pairwise to the next one first; scattered to the one before, and where UCX does that, too, first
/// of all to itself.
const char* alltoall(const Pattern& pattern) {
  const long all = pattern.whole + pattern.other;
  if (pattern.elsewhere == all && all == pattern.ranks * pattern.doublings())
    return "brucks";
  if (pattern.elsewhere != 0 || pattern.whole != all)
    return "?";
  if (all == pattern.ranks * pattern.ranks && pattern.first_block == 0)
    return "scattered";
  if (all != pattern.ranks * (pattern.ranks - 1))
    return "?";
  if (pattern.ranks == 2)
    return "pairwise=scattered";
  if (pattern.first_block == 1)
    return "pairwise";
  return pattern.first_block == pattern.ranks - 1 ? "scattered" : "?";
}

const char* algorithm_of(Operation operation, const Pattern& pattern) {
  if (pattern.whole + pattern.other == 0)
    return "-";
  switch (operation) {
  case Operation::bcast:
    return broadcast(pattern);
  case Operation::allreduce:
    return allreduce(pattern);
  case Operation::allgather:
    return allgather(pattern);
  case Operation::alltoall:
    return alltoall(pattern);
  case Operation::scatter:
    break;
  }
  return "?";
}

} // namespace

const char* library_name() { return "mpich"; }

std::vector<MPI_Comm> communicators_for(Operation /*operation*/,
                                        const std::vector<Variant>& variants, MPI_Comm ranks) {
  std::vector<MPI_Comm> communicators(variants.size());
  for (MPI_Comm& communicator : communicators)
    MPI_Comm_dup(ranks, &communicator);
  return communicators;
}

/// The settings count for all communicators from now on. Left to itself, the library asks the
/// device first, which has compositions of its own.
void select(Operation operation, const Variant& variant) {
  const ToolVariable algorithm(variable_of(operation, "INTRA_ALGORITHM"));
  const ToolVariable device(variable_of(operation, "DEVICE_COLLECTIVE"));
  algorithm.write(variant.algorithm);
  device.write(variant.algorithm == 0 ? 1 : 0);
}

/// The tree is a text in the library.
std::string selection_tree() {
  constexpr std::string_view begin = "{\"collective=bcast\"";
  Dl_info info{};
  if (::dladdr(reinterpret_cast<void*>(&MPI_Bcast), &info) == 0)
    return "";
  std::ifstream file(info.dli_fname, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  for (auto at = bytes.find(begin); at != std::string::npos; at = bytes.find(begin, at + 1)) {
    std::string tree = bytes.substr(at, bytes.find('\0', at) - at);
    if (tree.find("algorithm=MPIR_Bcast_intra_") != std::string::npos)
      return tree;
  }
  return "";
}

namespace {
Operation last_watched = Operation::bcast;
}

void watch(const Watched& now) {
  messages = {};
  last_watched = now.operation;
  watched = now;
}

void end_watch() { watched.reset(); }

std::string seen(MPI_Comm communicator) {
  std::array<long, 3> all{messages.whole, messages.other, messages.elsewhere};
  MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_LONG, MPI_SUM,
                communicator);
  int ranks = 0;
  MPI_Comm_size(communicator, &ranks);
  long first_block = messages.first_block;
  MPI_Bcast(&first_block, 1, MPI_LONG, 0, communicator);
  return algorithm_of(last_watched, {.ranks = ranks,
                                     .whole = all[0],
                                     .other = all[1],
                                     .elsewhere = all[2],
                                     .first_block = first_block});
}

} // namespace hypermile::tune
