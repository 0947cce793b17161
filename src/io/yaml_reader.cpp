#include "io/yaml_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <vector>

namespace hypermile::io {

namespace {

YAML::Node load(const std::string& text, const std::string& file) {
  try {
    return YAML::Load(text);
  } catch (const YAML::Exception& error) {
    throw Error(ErrorKind::config,
                fmt::format("{}:{}: not valid YAML: {}", file, error.mark.line + 1, error.msg));
  }
}

} // namespace

YamlReader YamlReader::parse(const std::string& text, const std::string& file) {
  const YAML::Node node = load(text, file);
  if (node.IsNull())
    throw Error(ErrorKind::config, fmt::format("{} is empty", file));
  return {node, file, ""};
}

void YamlReader::expect_keys(std::initializer_list<std::string_view> keys) const {
  if (!node_.IsMap())
    fail("must be a map", fmt::format("with the keys {}", fmt::join(keys, ", ")));
  std::set<std::string> seen;
  for (const auto& entry : node_) {
    const YamlReader key{entry.first, file_, path_};
    const std::string name = key.text();
    if (std::ranges::find(keys, name) == keys.end())
      key.fail(fmt::format("unknown key '{}'", name),
               fmt::format("one of {}", fmt::join(keys, ", ")));
    if (!seen.insert(name).second)
      key.fail(fmt::format("the key '{}' is there twice", name));
  }
}

YamlReader YamlReader::at(std::string_view key) const {
  if (auto value = find(key))
    return *value;
  fail(fmt::format("the key '{}' is missing", key));
}

std::optional<YamlReader> YamlReader::find(std::string_view key) const {
  if (!node_.IsMap())
    fail("must be a map");
  const YAML::Node value = node_[std::string(key)];
  if (!value)
    return std::nullopt;
  return YamlReader{value, file_,
                    path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key)};
}

void YamlReader::for_each(const std::function<void(const YamlReader&)>& visit) const {
  if (!node_.IsSequence() || node_.size() == 0)
    fail("must be a list with at least one entry");
  for (std::size_t i = 0; i < node_.size(); ++i)
    visit(YamlReader{node_[i], file_, fmt::format("{}[{}]", path_, i)});
}

void YamlReader::for_each_key(
    const std::function<void(const std::string&, const YamlReader&)>& visit) const {
  if (!node_.IsMap() || node_.size() == 0)
    fail("must be a map with at least one key");
  std::set<std::string> seen;
  for (const auto& entry : node_) {
    const YamlReader key{entry.first, file_, path_};
    const std::string name = key.text();
    if (!seen.insert(name).second)
      key.fail(fmt::format("the key '{}' is there twice", name));
    visit(name, YamlReader{entry.second, file_,
                           path_.empty() ? name : fmt::format("{}.{}", path_, name)});
  }
}

std::string YamlReader::as_written() const {
  std::vector<std::string> parts;
  if (node_.IsSequence()) {
    for_each([&](const YamlReader& element) { parts.push_back(element.text()); });
    return fmt::format("[{}]", fmt::join(parts, ", "));
  }
  if (!node_.IsMap())
    return text();
  for_each_key([&](const std::string& key, const YamlReader& value) {
    parts.push_back(fmt::format("{}: {}", key, value.text()));
  });
  return fmt::format("{{{}}}", fmt::join(parts, ", "));
}

std::string YamlReader::text() const {
  if (!node_.IsScalar())
    fail("must be a single value");
  return node_.Scalar();
}

std::size_t YamlReader::count() const {
  const std::string digits = text();
  std::size_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, status] = std::from_chars(digits.data(), end, value);
  if (status != std::errc{} || stop != end || value < 1 || value > 10'000'000)
    fail(fmt::format("'{}' is not a whole number from 1 to 10000000", digits));
  return value;
}

void YamlReader::fail(std::string_view what, std::string_view advice) const {
  const std::string where =
      fmt::format("{}:{}: {}{}", file_, node_.Mark().line + 1, path_, path_.empty() ? "" : ": ");
  throw Error(ErrorKind::config, where + std::string(what), std::string(advice));
}

} // namespace hypermile::io
