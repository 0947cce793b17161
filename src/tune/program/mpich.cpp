// MPICH. Its algorithms are functions inside the library, which nobody outside sees called. What
// can be seen are the messages, where they go through UCX: which parts of the buffer each rank
// sends, and how often. That tells the algorithms apart.

#include "tune/program/library.hpp"

#include "tune/program/tool_variable.hpp"

#include <dlfcn.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>

namespace {

const char* watched = nullptr;
std::size_t watched_size = 0;
std::array<long, 2> messages{}; // of the whole buffer, of a part of it
int depth = 0;                  // UCX calls this function from itself

} // namespace

// Parameters as in ucp/api/ucp.h of UCX 1.8 and later.
extern "C" void* ucp_tag_send_nbx(void* endpoint, const void* buffer, std::size_t count,
                                  std::uint64_t tag, const void* parameters) {
  using Function = void* (*)(void*, const void*, std::size_t, std::uint64_t, const void*);
  static const auto next = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "ucp_tag_send_nbx"));
  if (next == nullptr)
    std::abort(); // MPICH has called us by this name
  const auto* const bytes = static_cast<const char*>(buffer);
  if (depth == 0 && watched != nullptr && bytes >= watched && bytes < watched + watched_size)
    ++messages[count == watched_size ? 0 : 1];
  ++depth;
  void* const request = next(endpoint, buffer, count, tag, parameters);
  --depth;
  return request;
}

namespace hypermile::tune {

const char* library_name() { return "mpich"; }

std::vector<MPI_Comm> communicators_for(const std::vector<Variant>& variants) {
  std::vector<MPI_Comm> communicators(variants.size());
  for (MPI_Comm& communicator : communicators)
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  return communicators;
}

/// The settings count for all communicators from now on. Left to itself, the library asks the
/// device first, which has compositions of its own.
void select(const Variant& variant) {
  const ToolVariable algorithm("MPIR_CVAR_BCAST_INTRA_ALGORITHM");
  const ToolVariable device("MPIR_CVAR_BCAST_DEVICE_COLLECTIVE");
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

void watch(const void* bytes, std::size_t size) {
  messages = {};
  watched_size = size;
  watched = static_cast<const char*>(bytes);
}

/// A binomial tree sends the whole buffer to each other rank. A scatter sends a part to each of
/// them; a ring then lets each rank send p - 1 parts. Recursive doubling sends larger parts: log2 p
/// for each rank where p is a power of two, and otherwise a number of its own, which was seen to
/// differ from that of the ring for all p from 3 to 12. With two ranks both are the same.
std::string seen(MPI_Comm communicator) {
  watched = nullptr;
  std::array<long, 2> all{};
  MPI_Allreduce(messages.data(), all.data(), 2, MPI_LONG, MPI_SUM, communicator);
  int ranks = 0;
  MPI_Comm_size(communicator, &ranks);
  const long others = ranks - 1;
  long doublings = 0;
  while ((1L << doublings) < ranks)
    ++doublings;
  if (all[0] + all[1] == 0)
    return "-";
  if (all[0] == others && all[1] == 0)
    return "binomial";
  if (all[0] != 0)
    return "?";
  if (ranks == 2 && all[1] == 3)
    return "scatter_ring_allgather=scatter_recursive_doubling_allgather";
  if (all[1] == others + ranks * others)
    return "scatter_ring_allgather";
  const bool power_of_2 = (1L << doublings) == ranks;
  return !power_of_2 || all[1] == others + ranks * doublings
             ? "scatter_recursive_doubling_allgather"
             : "?";
}

} // namespace hypermile::tune
