#pragma once

#include "units/error.hpp"
#include "units/quantity.hpp"

#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// Values as bytes, one after the other. No library for JSON or CBOR is used here, as these need
/// memory even to give memory back: where there is none, they end the program.
namespace hypermile::runtime {

/// A `Struct`, to be written or to be read: a list of its members `template <class Archive,
/// Of<Struct> T> void fields(Archive& archive, T& value)` does both.
template <class T, class Struct>
concept Of = std::same_as<std::remove_const_t<T>, Struct>;

[[noreturn]] inline void refuse(const std::string& what) { throw Error(ErrorKind::hardware, what); }

class Writer {
public:
  template <class... Values> void operator()(const Values&... values) { (put(values), ...); }
  [[nodiscard]] std::vector<std::uint8_t> take() { return std::move(bytes_); }

private:
  /// Seven bits per byte, the low ones first; the high bit says that there are more.
  template <std::unsigned_integral Number> void put(Number number) {
    auto value = static_cast<std::uint64_t>(number);
    for (; value >= 0x80; value >>= 7)
      bytes_.push_back(static_cast<std::uint8_t>(value | 0x80));
    bytes_.push_back(static_cast<std::uint8_t>(value));
  }
  /// Small ones of either sign are short: 0, -1, 1, -2, ...
  template <std::signed_integral Number> void put(Number number) {
    const auto value = static_cast<std::int64_t>(number);
    put(static_cast<std::uint64_t>(value) << 1U ^ static_cast<std::uint64_t>(value >> 63));
  }
  void put(double number) {
    const auto bits = std::bit_cast<std::uint64_t>(number);
    for (unsigned shift = 0; shift < 64; shift += 8)
      bytes_.push_back(static_cast<std::uint8_t>(bits >> shift));
  }
  template <class Enumeration>
  requires std::is_enum_v<Enumeration>
  void put(Enumeration value) { put(static_cast<unsigned>(value)); }
  template <class Unit> void put(const Quantity<Unit>& quantity) { put(quantity.value()); }
  void put(const std::string& text) {
    put(text.size());
    bytes_.insert(bytes_.end(), text.begin(), text.end());
  }
  template <class Value> void put(const std::vector<Value>& list) {
    put(list.size());
    for (const Value& value : list)
      put(value);
  }
  template <class Value> void put(const std::optional<Value>& value) {
    put(value.has_value());
    if (value)
      put(*value);
  }
  template <class Struct>
  requires std::is_class_v<Struct>
  void put(const Struct& value) { fields(*this, value); }

  std::vector<std::uint8_t> bytes_;
};

/// What is read into.
template <class Value> Value blank(const Value* /*type*/) { return Value{}; }

/// Reads what a Writer wrote, by the same calls. Throws Error{hardware} for anything else, before
/// it takes more memory than a small multiple of the bytes that there are.
class Reader {
public:
  explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  template <class... Values> void operator()(Values&... values) { (get(values), ...); }
  [[nodiscard]] bool at_end() const { return bytes_.empty(); }
  /// One entry of a list at least takes a byte.
  std::size_t size() {
    std::size_t size = 0;
    get(size);
    if (size > bytes_.size())
      refuse("it is cut off");
    return size;
  }

private:
  std::uint8_t byte() {
    if (bytes_.empty())
      refuse("it is cut off");
    const std::uint8_t first = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return first;
  }
  template <std::unsigned_integral Number> void get(Number& number) {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint64_t next = byte();
      if (shift == 63 && next > 1)
        refuse("a number is too large");
      value |= (next & 0x7f) << shift;
      if (next < 0x80)
        break;
    }
    if (value > static_cast<std::uint64_t>(std::numeric_limits<Number>::max()))
      refuse("a number is too large");
    number = static_cast<Number>(value);
  }
  template <std::signed_integral Number> void get(Number& number) {
    std::uint64_t bits = 0;
    get(bits);
    const auto value =
        static_cast<std::int64_t>(bits >> 1U) ^ -static_cast<std::int64_t>(bits & 1U);
    if (!std::in_range<Number>(value))
      refuse("a number is too large");
    number = static_cast<Number>(value);
  }
  void get(double& number) {
    std::uint64_t bits = 0;
    for (unsigned shift = 0; shift < 64; shift += 8)
      bits |= static_cast<std::uint64_t>(byte()) << shift;
    number = std::bit_cast<double>(bits);
    if (!std::isfinite(number))
      refuse("a number is not finite");
  }
  template <class Enumeration>
  requires std::is_enum_v<Enumeration>
  void get(Enumeration& value) {
    unsigned number = 0;
    get(number);
    if (number > static_cast<unsigned>(last_of(Enumeration{})))
      refuse("kind " + std::to_string(number) + " does not exist");
    value = static_cast<Enumeration>(number);
  }
  template <class Unit> void get(Quantity<Unit>& quantity) {
    double value = 0;
    get(value);
    quantity = Quantity<Unit>{value};
  }
  void get(std::string& text) {
    const auto part = bytes_.subspan(0, size());
    text.assign(part.begin(), part.end());
    bytes_ = bytes_.subspan(part.size());
  }
  template <class Value> void get(std::vector<Value>& list) {
    list.clear();
    for (std::size_t left = size(); left > 0; --left) {
      Value value = blank(static_cast<Value*>(nullptr));
      get(value);
      list.push_back(std::move(value));
    }
  }
  template <class Value> void get(std::optional<Value>& value) {
    bool there = false;
    get(there);
    value.reset();
    if (there)
      get(value.emplace());
  }
  template <class Struct>
  requires std::is_class_v<Struct>
  void get(Struct& value) { fields(*this, value); }

  std::span<const std::uint8_t> bytes_;
};

} // namespace hypermile::runtime
