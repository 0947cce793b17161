#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace apps::mergesort {

/// Keys in order, and a second array into which they are merged.
template <typename Key> class SortedKeys {
public:
  /// Has room for `most` keys.
  explicit SortedKeys(std::size_t most) : keys_(most), merged_(most) {}

  /// Has these keys from now on. Sorts bottom-up: merges runs of 1, 2, 4, ... keys.
  void sort(std::span<const Key> unsorted) {
    size_ = unsorted.size();
    if (size_ == 1)
      keys_.front() = unsorted.front();
    std::span<const Key> from = unsorted;
    for (std::size_t run = 1; run < size_; run *= 2) {
      for (std::size_t begin = 0; begin < size_; begin += 2 * run)
        merge(from, begin, std::min(begin + run, size_), std::min(begin + 2 * run, size_));
      keys_.swap(merged_);
      from = keys_;
    }
  }

  /// Where to write `count` further keys, in order, before merge_further() is called.
  std::span<Key> room_for(std::size_t count) { return std::span(keys_).subspan(size_, count); }

  /// Has the `count` keys in room_for(count), too.
  void merge_further(std::size_t count) {
    merge(keys_, 0, size_, size_ + count);
    keys_.swap(merged_);
    size_ += count;
  }

  [[nodiscard]] std::span<const Key> keys() const { return std::span(keys_).first(size_); }

private:
  /// The two runs that meet at `middle`.
  void merge(std::span<const Key> from, std::size_t begin, std::size_t middle, std::size_t end) {
    const auto at = [](auto first, std::size_t place) {
      return first + static_cast<std::ptrdiff_t>(place);
    };
    std::merge(at(from.begin(), begin), at(from.begin(), middle), at(from.begin(), middle),
               at(from.begin(), end), at(merged_.begin(), begin));
  }

  std::vector<Key> keys_;
  std::vector<Key> merged_;
  std::size_t size_ = 0;
};

} // namespace apps::mergesort
