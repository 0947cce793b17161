#include "runtime/exchange/aggregated_message.hpp"

#include "units/error.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace hypermile::runtime {
namespace {

/// Longer ones (measurements, reports) are each rank's own.
constexpr std::size_t most_bytes_in_common = 256;

[[noreturn]] void refuse_aggregate(const std::string& what) {
  throw Error(ErrorKind::hardware, "messages from other ranks cannot be read: " + what);
}

void put(AggregatedMessage::Bytes& bytes, std::size_t value) {
  for (int shift = 0; shift < 32; shift += 8)
    bytes.push_back(static_cast<std::uint8_t>((value >> shift) & 0xff));
}

/// From the first to the last rank of each row of consecutive ones.
void put_ranks(AggregatedMessage::Bytes& bytes, std::vector<int> ranks) {
  std::ranges::sort(ranks);
  std::vector<std::pair<int, int>> rows;
  for (const int rank : ranks)
    if (!rows.empty() && rank == rows.back().second + 1)
      rows.back().second = rank;
    else
      rows.emplace_back(rank, rank);
  put(bytes, rows.size());
  for (const auto& [first, last] : rows) {
    put(bytes, static_cast<std::size_t>(first));
    put(bytes, static_cast<std::size_t>(last));
  }
}

class AggregateReader {
public:
  explicit AggregateReader(const AggregatedMessage::Bytes& bytes) : bytes_(bytes) {}

  std::uint8_t byte() { return *take(1); }
  std::size_t number() {
    const auto first = take(4);
    std::size_t value = 0;
    for (std::ptrdiff_t i = 3; i >= 0; --i)
      value = value << 8 | first[i];
    return value;
  }
  AggregatedMessage::Bytes bytes(std::size_t size) {
    const auto first = take(size);
    return {first, first + static_cast<std::ptrdiff_t>(size)};
  }
  [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }

private:
  AggregatedMessage::Bytes::const_iterator take(std::size_t size) {
    if (size > bytes_.size() - at_)
      refuse_aggregate("they are cut off");
    return bytes_.begin() + static_cast<std::ptrdiff_t>(std::exchange(at_, at_ + size));
  }

  const AggregatedMessage::Bytes& bytes_;
  std::size_t at_ = 0;
};

/// Rows ascend, so that no more ranks come of a few bytes than there are.
std::vector<int> read_ranks(AggregateReader& reader, std::size_t limit) {
  std::vector<int> ranks;
  std::size_t next = 0;
  for (std::size_t rows = reader.number(); rows > 0; --rows) {
    const std::size_t first = reader.number();
    const std::size_t last = reader.number();
    if (first < next || last < first || last >= limit)
      refuse_aggregate("a rank does not exist");
    for (std::size_t rank = first; rank <= last; ++rank)
      ranks.push_back(static_cast<int>(rank));
    next = last + 1;
  }
  if (ranks.empty())
    refuse_aggregate("one is of no rank");
  return ranks;
}

} // namespace

AggregatedMessage::Bytes pack(const AggregatedMessage& message) {
  AggregatedMessage::Bytes bytes{message_version, static_cast<std::uint8_t>(message.kind)};
  put(bytes, message.entries.size());
  for (const auto& [ranks, content] : message.entries) {
    put_ranks(bytes, ranks);
    put(bytes, content.size());
    bytes.insert(bytes.end(), content.begin(), content.end());
  }
  return bytes;
}

AggregatedMessage unpack(const AggregatedMessage::Bytes& bytes, int ranks) {
  AggregateReader reader(bytes);
  if (reader.byte() != message_version)
    refuse_aggregate("they are of another version of hypermile");
  const std::uint8_t kind = reader.byte();
  if (kind > static_cast<std::uint8_t>(AggregatedMessage::Kind::at_once))
    refuse_aggregate("their kind is unknown");
  AggregatedMessage message{.kind = static_cast<AggregatedMessage::Kind>(kind), .entries = {}};
  for (std::size_t entries = reader.number(); entries > 0; --entries) {
    std::vector<int> of = read_ranks(reader, static_cast<std::size_t>(ranks));
    AggregatedMessage::Bytes content = reader.bytes(reader.number());
    message.entries.push_back({std::move(of), std::move(content)});
  }
  if (!reader.at_end())
    refuse_aggregate("there is more than was announced");
  return message;
}

void MessageBuffer::add(int rank, AggregatedMessage::Bytes bytes) {
  const std::size_t next = entries_.size();
  std::size_t entry = next;
  if (bytes.size() <= most_bytes_in_common) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    std::size_t& newest = newest_.emplace(std::hash<std::string_view>{}(text), next).first->second;
    const auto latest = latest_.find(rank);
    const bool in_order = latest == latest_.end() || latest->second < newest;
    if (newest < next && in_order && entries_[newest].bytes == bytes)
      entry = newest;
    newest = entry;
  }
  latest_[rank] = entry;
  if (entry == next)
    entries_.push_back({{rank}, std::move(bytes)});
  else
    entries_[entry].ranks.push_back(rank);
}

AggregatedMessage MessageBuffer::take(AggregatedMessage::Kind kind) {
  newest_.clear();
  latest_.clear();
  return {.kind = kind, .entries = std::exchange(entries_, {})};
}

} // namespace hypermile::runtime
