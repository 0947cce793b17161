#include "runtime/pmpi/real/job_communicators.hpp"

#include "runtime/exchange/aggregated_message.hpp"
#include "runtime/pmpi/library.hpp"
#include "runtime/pmpi/real/completion.hpp"
#include "runtime/record/mixed.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <thread>

namespace hypermile::runtime::pmpi {
namespace {

/// Version and digest share a number, as earlier versions exchange no more than that.
constexpr int version_bits = 8;

int version_in(int shared) { return shared & ((1 << version_bits) - 1); }

/// Tells one path from another; 0: there is none.
int digest(const std::string& path) {
  constexpr std::uint64_t most = 0x7fffff;
  std::uint64_t hash = 0;
  for (const char character : path)
    hash = mixed(hash, static_cast<unsigned char>(character));
  return static_cast<int>(hash & most);
}

} // namespace

JobCommunicators::JobCommunicators() {
  call_collective(library.Comm_idup, MPI_COMM_WORLD, &all_);
  PMPI_Comm_set_errhandler(all_, MPI_ERRORS_RETURN);
  PMPI_Comm_rank(all_, &rank_);
  PMPI_Comm_size(all_, &ranks_);
  library.Comm_split_type(all_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &machine_);
  PMPI_Comm_rank(machine_, &place_);
}

void JobCommunicators::meet(const std::string& result_file) {
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  int length = 0;
  PMPI_Get_processor_name(name, &length);
  host_.assign(name, static_cast<std::size_t>(length));
  std::array<int, 2> own{rank_, message_version | digest(result_file) << version_bits};
  std::vector<std::array<int, 2>> others(static_cast<std::size_t>(ranks_));
  leaders_.resize(others.size());
  agree();
  call_collective(library.Ibcast, own.data(), 1, MPI_INT, 0, machine_);
  call_collective(library.Iallgather, own.data(), 2, MPI_INT, others.data(), 2, MPI_INT, all_);
  for (std::size_t rank = 0; rank < others.size(); ++rank) {
    leaders_[rank] = static_cast<std::size_t>(others[rank][0]);
    if (version_in(others[rank][1]) != version_in(others[0][1]))
      throw Error(ErrorKind::config, fmt::format("rank {} runs another version of hypermile", rank),
                  "the same version on all nodes");
  }
  const int of_first = others[0][1] >> version_bits;
  shares_launcher_ = result_file.empty() || of_first == 0 || digest(result_file) == of_first;
}

void JobCommunicators::agree() const {
  if (!everywhere(true))
    throw Refused();
}

bool JobCommunicators::everywhere(bool yes) const {
  int agreed = yes ? 1 : 0;
  call_collective(library.Iallreduce, MPI_IN_PLACE, &agreed, 1, MPI_INT, MPI_MIN, all_);
  return agreed != 0;
}

/// MPICH on UCX (before 4.2, https://github.com/pmodels/mpich/pull/6596) may wait for ever in
/// MPI_Finalize: there a rank asks each other one for an answer, and once it has all, it gives no
/// more. A rank that gave its own from within another function, as when it waits for a message,
/// then gets none. No message can tell that all ranks have left the barrier; time can, if ranks
/// sleep in it: who sleeps gets a core soon, also on a busy node.
void JobCommunicators::part() const {
#ifdef MPICH
  using std::this_thread::sleep_for;
  using namespace std::chrono_literals;
  if (std::ranges::all_of(leaders_, [&](std::size_t leader) { return leader == leaders_[0]; }))
    return;
  MPI_Request request = MPI_REQUEST_NULL;
  library.Ibarrier(all_, &request);
  for (int done = 0; done == 0; sleep_for(200us))
    library.Test(&request, &done, MPI_STATUS_IGNORE);
  sleep_for(20ms);
#endif
}

std::string JobCommunicators::from_first(std::string text) const {
  agree();
  auto length = static_cast<int>(text.size());
  call_collective(library.Ibcast, &length, 1, MPI_INT, 0, all_);
  text.resize(static_cast<std::size_t>(length));
  agree();
  call_collective(library.Ibcast, text.data(), length, MPI_CHAR, 0, all_);
  return text;
}

std::vector<std::string> JobCommunicators::from_all(const std::string& text) const {
  const auto length = static_cast<int>(text.size());
  std::vector<int> lengths(static_cast<std::size_t>(ranks_));
  std::vector<int> begins(lengths.size());
  agree();
  call_collective(library.Iallgather, &length, 1, MPI_INT, lengths.data(), 1, MPI_INT, all_);
  std::exclusive_scan(lengths.begin(), lengths.end(), begins.begin(), 0);
  std::string joined(static_cast<std::size_t>(begins.back() + lengths.back()), ' ');
  agree();
  call_collective(library.Iallgatherv, text.data(), length, MPI_CHAR, joined.data(), lengths.data(),
                  begins.data(), MPI_CHAR, all_);
  std::vector<std::string> texts;
  for (std::size_t r = 0; r < lengths.size(); ++r)
    texts.push_back(
        joined.substr(static_cast<std::size_t>(begins[r]), static_cast<std::size_t>(lengths[r])));
  return texts;
}

std::vector<std::string> JobCommunicators::to_first(const std::string& text) const {
  constexpr int tag = 1; // MpiExchange has 0
  const std::uint64_t own = text.size();
  std::vector<std::uint64_t> lengths(static_cast<std::size_t>(ranks_));
  agree();
  call_collective(library.Iallgather, &own, 1, MPI_UINT64_T, lengths.data(), 1, MPI_UINT64_T, all_);
  std::vector<std::string> texts(rank_ == 0 ? lengths.size() : 0);
  for (std::size_t r = 0; r < texts.size(); ++r)
    texts[r].resize(lengths[r]);
  agree();
  const auto in_pieces = [this](std::uint64_t length, auto function, auto* bytes, int other) {
    constexpr std::uint64_t most = 1U << 30U; // an int counts them
    for (std::uint64_t at = 0; at < length; at += most) {
      MPI_Request request = MPI_REQUEST_NULL;
      function(bytes + at, static_cast<int>(std::min(most, length - at)), MPI_CHAR, other, tag,
               all_, &request);
      complete(request);
    }
  };
  if (rank_ != 0)
    in_pieces(own, library.Isend, text.data(), 0);
  for (std::size_t r = 1; r < texts.size(); ++r)
    in_pieces(lengths[r], library.Irecv, texts[r].data(), static_cast<int>(r));
  if (rank_ == 0)
    texts[0] = text;
  return texts;
}

std::vector<double> JobCommunicators::from_leader(std::vector<double> numbers) const {
  agree();
  auto length = static_cast<int>(numbers.size());
  call_collective(library.Ibcast, &length, 1, MPI_INT, 0, machine_);
  numbers.resize(static_cast<std::size_t>(length));
  agree();
  call_collective(library.Ibcast, numbers.data(), length, MPI_DOUBLE, 0, machine_);
  return numbers;
}

std::vector<int> JobCommunicators::united(const std::vector<int>& numbers) const {
  agree();
  int largest = numbers.empty() ? -1 : std::ranges::max(numbers);
  call_collective(library.Iallreduce, MPI_IN_PLACE, &largest, 1, MPI_INT, MPI_MAX, machine_);
  std::vector<unsigned char> there(static_cast<std::size_t>(largest + 1), 0);
  for (const int number : numbers)
    there[static_cast<std::size_t>(number)] = 1;
  agree();
  call_collective(library.Iallreduce, MPI_IN_PLACE, there.data(), largest + 1, MPI_UNSIGNED_CHAR,
                  MPI_MAX, machine_);
  std::vector<int> all;
  for (int number = 0; number <= largest; ++number)
    if (there[static_cast<std::size_t>(number)] != 0)
      all.push_back(number);
  return all;
}

bool JobCommunicators::all_agree(bool yes) const {
  agree();
  return everywhere(yes);
}

} // namespace hypermile::runtime::pmpi
