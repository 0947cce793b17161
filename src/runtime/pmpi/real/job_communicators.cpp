#include "runtime/pmpi/real/job_communicators.hpp"

#include "runtime/exchange/aggregated_message.hpp"
#include "runtime/pmpi/library.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace hypermile::runtime::pmpi {

JobCommunicators::JobCommunicators() {
  library.Comm_dup(MPI_COMM_WORLD, &all_);
  PMPI_Comm_set_errhandler(all_, MPI_ERRORS_RETURN);
  PMPI_Comm_rank(all_, &rank_);
  PMPI_Comm_size(all_, &ranks_);
  library.Comm_split_type(all_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &machine_);
  PMPI_Comm_rank(machine_, &place_);
}

void JobCommunicators::meet() {
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  int length = 0;
  PMPI_Get_processor_name(name, &length);
  host_.assign(name, static_cast<std::size_t>(length));
  std::array<int, 2> own{rank_, message_version};
  std::vector<std::array<int, 2>> others(static_cast<std::size_t>(ranks_));
  leaders_.resize(others.size());
  agree();
  library.Bcast(own.data(), 1, MPI_INT, 0, machine_);
  library.Allgather(own.data(), 2, MPI_INT, others.data(), 2, MPI_INT, all_);
  for (std::size_t rank = 0; rank < others.size(); ++rank) {
    leaders_[rank] = static_cast<std::size_t>(others[rank][0]);
    if (others[rank][1] != others[0][1])
      throw Error(ErrorKind::config, fmt::format("rank {} runs another version of hypermile", rank),
                  "the same version on all nodes");
  }
}

void JobCommunicators::agree() const {
  if (!everywhere(true))
    throw Refused();
}

bool JobCommunicators::everywhere(bool yes) const {
  int agreed = yes ? 1 : 0;
  library.Allreduce(MPI_IN_PLACE, &agreed, 1, MPI_INT, MPI_MIN, all_);
  return agreed != 0;
}

std::string JobCommunicators::from_first(std::string text) const {
  agree();
  auto length = static_cast<int>(text.size());
  library.Bcast(&length, 1, MPI_INT, 0, all_);
  text.resize(static_cast<std::size_t>(length));
  agree();
  library.Bcast(text.data(), length, MPI_CHAR, 0, all_);
  return text;
}

std::vector<std::string> JobCommunicators::from_all(const std::string& text) const {
  const auto length = static_cast<int>(text.size());
  std::vector<int> lengths(static_cast<std::size_t>(ranks_));
  std::vector<int> begins(lengths.size());
  agree();
  library.Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, all_);
  std::exclusive_scan(lengths.begin(), lengths.end(), begins.begin(), 0);
  std::string joined(static_cast<std::size_t>(begins.back() + lengths.back()), ' ');
  agree();
  library.Allgatherv(text.data(), length, MPI_CHAR, joined.data(), lengths.data(), begins.data(),
                     MPI_CHAR, all_);
  std::vector<std::string> texts;
  for (std::size_t r = 0; r < lengths.size(); ++r)
    texts.push_back(
        joined.substr(static_cast<std::size_t>(begins[r]), static_cast<std::size_t>(lengths[r])));
  return texts;
}

std::vector<double> JobCommunicators::from_leader(std::vector<double> numbers) const {
  agree();
  auto length = static_cast<int>(numbers.size());
  library.Bcast(&length, 1, MPI_INT, 0, machine_);
  numbers.resize(static_cast<std::size_t>(length));
  agree();
  library.Bcast(numbers.data(), length, MPI_DOUBLE, 0, machine_);
  return numbers;
}

std::vector<int> JobCommunicators::united(const std::vector<int>& numbers) const {
  agree();
  int largest = numbers.empty() ? -1 : std::ranges::max(numbers);
  library.Allreduce(MPI_IN_PLACE, &largest, 1, MPI_INT, MPI_MAX, machine_);
  std::vector<unsigned char> there(static_cast<std::size_t>(largest + 1), 0);
  for (const int number : numbers)
    there[static_cast<std::size_t>(number)] = 1;
  agree();
  library.Allreduce(MPI_IN_PLACE, there.data(), largest + 1, MPI_UNSIGNED_CHAR, MPI_MAX, machine_);
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
