#include "replay/compressed.hpp"

#include <zstd.h>

#include <memory>
#include <new>

namespace hypermile::replay {
namespace {

/// A file is written once, and read often: smaller counts for more than fast.
constexpr int level = 12;
/// No recording is larger; what claims to be is damaged.
constexpr unsigned long long most = 1ULL << 36U;
/// Nothing that we compress becomes so much smaller: what claims to is not ours.
constexpr unsigned long long most_ratio = 1ULL << 16U;

struct Free {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

} // namespace

std::string compressed(std::string_view bytes) {
  const std::unique_ptr<ZSTD_CCtx, Free> context(ZSTD_createCCtx());
  if (!context)
    throw std::bad_alloc();
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size =
      ZSTD_compress2(context.get(), out.data(), out.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(size) != 0)
    throw std::bad_alloc();
  out.resize(size);
  out.shrink_to_fit();
  return out;
}

std::optional<std::string> decompressed(std::string_view bytes) {
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size > most ||
      size / most_ratio > bytes.size())
    return std::nullopt;
  std::string out(size, '\0');
  const std::size_t read = ZSTD_decompress(out.data(), out.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(read) != 0 || read != size)
    return std::nullopt;
  return out;
}

} // namespace hypermile::replay
