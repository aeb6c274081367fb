// SPDX-License-Identifier: Apache-2.0
#include "io/strings.h"

#include "base/check.h"

namespace divns {

PackedStrings PackedStrings::pack(uint32_t count,
                                  const std::function<std::string_view(uint32_t)>& get) {
  PackedStrings packed;
  packed.offsets.reserve(size_t{count} + 1);
  packed.offsets.push_back(0);
  for (uint32_t i = 0; i < count; ++i) {
    const std::string_view text = get(i);
    packed.bytes.insert(packed.bytes.end(), text.begin(), text.end());
    packed.offsets.push_back(static_cast<int64_t>(packed.bytes.size()));
  }
  return packed;
}

void PackedStrings::add_to(TensorWriter& file, const std::string& name) const {
  file.add(name, bytes);
  file.add(name + "_offsets", offsets);
}

PackedStringView::PackedStringView(const TensorReader& file, const std::string& name,
                                   uint32_t count) {
  const auto bytes = file.values<uint8_t>(name);
  offsets_ = file.values<int64_t>(name + "_offsets");
  bytes_ = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  if (offsets_.size() != size_t{count} + 1)
    fail("{} is damaged: '{}' has {} strings where {} were expected.", file.file_name(), name,
         offsets_.empty() ? 0 : offsets_.size() - 1, count);
  bool ascending = offsets_.front() == 0 && offsets_.back() == static_cast<int64_t>(bytes.size());
  for (size_t i = 1; i < offsets_.size(); ++i) ascending &= offsets_[i - 1] <= offsets_[i];
  if (!ascending)
    fail("{} is damaged: the offsets of '{}' do not ascend through its bytes.", file.file_name(),
         name);
}

}  // namespace divns
