#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <vector>

namespace hypermile::runtime {

/// Reads CBOR only to see how deep its lists and maps are nested, and stops where they are deeper
/// than any message. Reading recurses: a few kilobytes of "list of a list of a list ..." would
/// otherwise overflow the stack, which under a simulator is a small one.
class Nesting final : public nlohmann::json_sax<nlohmann::json> {
public:
  /// False for what is too deep, and for what is not CBOR.
  static bool is_fine(const std::vector<std::uint8_t>& cbor) {
    Nesting nesting;
    return nlohmann::json::sax_parse(cbor, &nesting, nlohmann::json::input_format_t::cbor);
  }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(std::int64_t) override { return true; }
  bool number_unsigned(std::uint64_t) override { return true; }
  bool number_float(double, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(nlohmann::json::binary_t&) override { return true; }
  bool key(std::string&) override { return true; }
  bool start_object(std::size_t) override { return ++depth_ <= deepest; }
  bool start_array(std::size_t) override { return ++depth_ <= deepest; }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    return false;
  }

private:
  static constexpr int deepest = 16;

  bool leave() {
    --depth_;
    return true;
  }

  int depth_ = 0;
};

} // namespace hypermile::runtime
