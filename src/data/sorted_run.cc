// SPDX-License-Identifier: Apache-2.0
#include "data/sorted_run.h"

#include <algorithm>

namespace divns {
namespace {

template <class Vector>
uint64_t append(SpillFile& file, const Vector& values) {
  return file.append(std::as_bytes(std::span(values)));
}

// Entries [begin, end) of an array that begins at `at`.
template <class Vector>
void read(const SpillFile& file, uint64_t at, uint64_t begin, uint64_t end, Vector& out) {
  out.resize(end - begin);
  file.read(at + begin * sizeof out[0], std::as_writable_bytes(std::span(out)));
}

}  // namespace

SortedRun::SortedRun(ScratchSpace& disk, const SortedPairs& pairs, std::span<uint64_t> degrees)
    : file_(disk), timed_(!pairs.times.empty()) {
  std::vector<uint32_t> users;
  std::vector<uint32_t> counts;
  const std::vector<uint64_t>& offsets = pairs.rows.offsets;
  for (uint32_t user = 0; user < pairs.rows.users(); ++user) {
    const uint64_t count = offsets[user + 1] - offsets[user];
    if (count == 0) continue;
    users.push_back(user);
    counts.push_back(static_cast<uint32_t>(count));
    degrees[user] += count;
  }
  users_at_ = append(file_, users);
  counts_at_ = append(file_, counts);
  items_at_ = append(file_, pairs.rows.items);
  times_at_ = append(file_, pairs.times);
  end_ = {users.size(), pairs.rows.pairs()};
}

void SortedRun::divide(std::span<const uint32_t> ranges) {
  constexpr uint64_t kUsersAtOnce = uint64_t{1} << 16;
  Place place;
  std::vector<uint32_t> users;
  std::vector<uint32_t> counts;
  while (place.user < end_.user) {
    const uint64_t last = std::min(end_.user, place.user + kUsersAtOnce);
    read(file_, users_at_, place.user, last, users);
    read(file_, counts_at_, place.user, last, counts);
    for (size_t k = 0; k < users.size(); ++k) {
      while (begins_.size() < ranges.size() && users[k] >= ranges[begins_.size()])
        begins_.push_back(place);
      ++place.user;
      place.pair += counts[k];
    }
  }
  begins_.resize(ranges.size() + 1, end_);
}

SortedRun::Slice SortedRun::slice(size_t range, uint32_t first_user) const {
  const Place& begin = begins_[range];
  const Place& end = begins_[range + 1];
  Slice slice;
  read(file_, users_at_, begin.user, end.user, slice.users);
  read(file_, counts_at_, begin.user, end.user, slice.counts);
  read(file_, items_at_, begin.pair, end.pair, slice.items);
  if (timed_) read(file_, times_at_, begin.pair, end.pair, slice.times);
  for (uint32_t& user : slice.users) user -= first_user;
  return slice;
}

}  // namespace divns
