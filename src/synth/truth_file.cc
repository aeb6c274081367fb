// SPDX-License-Identifier: Apache-2.0
// Layout of truth.bin, little-endian: header; cluster spreads, cluster gains, popularity, taste
// weights (float64); taste offsets (uint64); item vectors (float32); item clusters, favourites
// (uint32); XXH3 of all that (uint64).
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>

#include "base/check.h"
#include "base/files.h"
#include "base/hash.h"
#include "synth/truth.h"

namespace divns {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::array<char, 8> kMagic = {'d', 'i', 'v', 'n', 's', 't', 'r', 'u'};
constexpr uint32_t kTruthVersion = 1;

struct TruthHeader {
  std::array<char, 8> magic = kMagic;
  uint32_t version = kTruthVersion;
  uint32_t latent_dim = 0;
  uint64_t clusters = 0;
  uint64_t items = 0;
  uint64_t users = 0;
  uint64_t tastes = 0;
  double background = 0;
  double liked_level = 0;
};

// The order of the sections, for writing and reading.
template <class Truth, class Visit>
void for_each_section(Truth& truth, const TruthHeader& header, Visit&& visit) {
  visit(truth.cluster_spreads, header.clusters);
  visit(truth.cluster_gains, header.clusters);
  visit(truth.popularity, header.items);
  visit(truth.taste_weights, header.tastes);
  visit(truth.taste_offsets, header.users + 1);
  visit(truth.item_vectors, header.items * header.latent_dim);
  visit(truth.item_clusters, header.items);
  visit(truth.favourites, header.tastes);
}

bool all_positive(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(),
                     [](double x) { return x > 0 && std::isfinite(x); });
}

bool all_below(std::span<const uint32_t> values, uint64_t bound) {
  return std::all_of(values.begin(), values.end(), [&](uint32_t x) { return x < bound; });
}

// A checksum does not protect against forgery: everything that is used as an index or a rate is
// checked.
bool is_consistent(const SynthTruth& truth, const TruthHeader& header) {
  const auto share = [](double x) { return x >= 0 && x <= 1; };
  const auto& offsets = truth.taste_offsets;
  return share(truth.background) && truth.background > 0 && share(truth.liked_level) &&
         all_positive(truth.cluster_gains) && all_positive(truth.popularity) &&
         std::all_of(truth.taste_weights.begin(), truth.taste_weights.end(), share) &&
         std::all_of(truth.item_vectors.begin(), truth.item_vectors.end(),
                     [](float x) { return std::isfinite(x); }) &&
         all_below(truth.item_clusters, header.clusters) &&
         all_below(truth.favourites, header.items) && offsets.front() == 0 &&
         offsets.back() == header.tastes && std::is_sorted(offsets.begin(), offsets.end());
}

}  // namespace

void write_synth_truth(AtomicFile file, const SynthTruth& truth) {
  TruthHeader header;
  header.latent_dim = truth.latent_dim;
  header.clusters = truth.cluster_gains.size();
  header.items = truth.items();
  header.users = truth.users();
  header.tastes = truth.favourites.size();
  header.background = truth.background;
  header.liked_level = truth.liked_level;

  std::vector<std::byte> bytes;
  const auto append = [&](std::span<const std::byte> part) {
    bytes.insert(bytes.end(), part.begin(), part.end());
  };
  append(std::as_bytes(std::span(&header, 1)));
  for_each_section(truth, header, [&](const auto& values, uint64_t count) {
    DIVNS_ASSERT(values.size() == count);
    append(std::as_bytes(std::span(values)));
  });
  const uint64_t checksum = hash64(bytes);
  append(std::as_bytes(std::span(&checksum, 1)));

  file.write(bytes);
  file.commit();
}

SynthTruth read_synth_truth(const std::filesystem::path& path) {
  const MappedFile file(path);
  auto rest = file.bytes();
  const auto refuse = [&](const char* why) {
    fail("{} {}; make the synthetic dataset again.", path.string(), why);
  };

  TruthHeader header;
  uint64_t checksum = 0;
  if (rest.size() < sizeof header + sizeof checksum) refuse("is too short for a synthetic truth");
  std::memcpy(&header, rest.data(), sizeof header);
  if (header.magic != kMagic) refuse("is not a synthetic truth");
  if (header.version != kTruthVersion) refuse("was written by another version of this program");
  const auto hashed = rest.first(rest.size() - sizeof checksum);
  std::memcpy(&checksum, hashed.data() + hashed.size(), sizeof checksum);
  if (checksum != hash64(hashed)) refuse("is damaged: its checksum does not match");

  // No count may exceed the number of bytes, so the products below cannot overflow.
  const uint64_t most = rest.size();
  if (header.latent_dim == 0 || header.latent_dim > most || header.clusters > most ||
      header.items > most / header.latent_dim || header.users >= most || header.tastes > most)
    refuse("is damaged: its sizes do not fit its length");
  rest = hashed.subspan(sizeof header);
  SynthTruth truth;
  truth.latent_dim = header.latent_dim;
  truth.background = header.background;
  truth.liked_level = header.liked_level;
  for_each_section(truth, header, [&]<class T>(std::vector<T>& values, uint64_t count) {
    if (count > rest.size() / sizeof(T)) refuse("is damaged: its sizes do not fit its length");
    values.resize(count);
    if (count > 0) std::memcpy(values.data(), rest.data(), count * sizeof(T));
    rest = rest.subspan(count * sizeof(T));
  });
  if (!rest.empty()) refuse("is damaged: its sizes do not fit its length");
  if (!is_consistent(truth, header)) refuse("is damaged: it holds values that cannot be");
  return truth;
}

}  // namespace divns
