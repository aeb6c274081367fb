// SPDX-License-Identifier: Apache-2.0
#include "blocks/traveling_items.h"

#include <algorithm>
#include <utility>

namespace divns {
namespace {

// The rows that move from the home parts of one rank to those of another, in the order of the new
// places: visit(old place, new part, new row).
template <class Visit>
void for_rows_between(const TravelingItems& items, const ItemParts& before, const ItemParts& now,
                      int from, int to, Visit&& visit) {
  for (uint32_t part = 0; part < now.parts(); ++part) {
    if (items.home(part) != to) continue;
    const std::span<const uint32_t> numbers = now.items_of(part);
    for (uint32_t row = 0; row < numbers.size(); ++row) {
      const ItemParts::Place old = before.place(numbers[row]);
      if (items.home(old.part) == from) visit(old, part, row);
    }
  }
}

}  // namespace

TravelingItems::TravelingItems(const BlockSchedule& schedule, const ItemParts& parts, uint32_t dim,
                               size_t tables, Communicator& ranks,
                               const std::filesystem::path& scratch)
    : schedule_(schedule), ranks_(ranks), dim_(dim), tables_(tables), scratch_(scratch) {
  for (uint32_t part = 0; part < parts.parts(); ++part) rows_.push_back(parts.rows(part));
  store_ = empty_store();
}

BlockStore TravelingItems::empty_store() const {
  return {rows_, dim_, tables_, scratch_};
}

void TravelingItems::move_on(uint32_t round) {
  if (ranks_.size() == 1) return;
  const int me = ranks_.rank();
  const uint32_t leaving = schedule_.part_at(schedule_.first_position(me), round);
  const uint32_t arriving = schedule_.part_at(schedule_.first_position(me + 1) - 1, round + 1);
  const int to = (me + ranks_.size() - 1) % ranks_.size();
  const int from = (me + 1) % ranks_.size();
  RowState out;
  RowState in;
  if (schedule_.exists(leaving)) out = store_.take(leaving);
  if (schedule_.exists(arriving)) in = store_.fresh(arriving);
  for (Table RowState::*table : {&RowState::parameters, &RowState::m, &RowState::v}) {
    const Table& sent = out.*table;
    Table& received = in.*table;
    ranks_.exchange(to, std::as_bytes(std::span(sent.data(), sent.size())), from,
                    std::as_writable_bytes(std::span(received.data(), received.size())));
  }
  if (schedule_.exists(arriving)) store_.put(arriving, std::move(in));
}

void TravelingItems::divide_anew(const ItemParts& before, const ItemParts& now) {
  BlockStore next = empty_store();
  for (uint32_t part = 0; part < now.parts(); ++part)
    if (is_home(part)) next.put(part, next.fresh(part));
  const int me = ranks_.rank();
  for_rows_between(*this, before, now, me, me,
                   [&](ItemParts::Place old, uint32_t part, uint32_t row) {
                     for (size_t table = 0; table < tables_; ++table)
                       std::copy_n(store_.row(old.part, table, old.row), padded(dim_),
                                   next.row(part, table, row));
                   });
  std::vector<float> out;
  std::vector<float> in;
  for (int distance = 1; distance < ranks_.size(); ++distance) {
    const int to = (me + distance) % ranks_.size();
    const int from = (me + ranks_.size() - distance) % ranks_.size();
    out.clear();
    for_rows_between(*this, before, now, me, to, [&](ItemParts::Place old, uint32_t, uint32_t) {
      for (size_t table = 0; table < tables_; ++table) {
        const float* row = store_.row(old.part, table, old.row);
        out.insert(out.end(), row, row + padded(dim_));
      }
    });
    size_t rows = 0;
    for_rows_between(*this, before, now, from, me,
                     [&](ItemParts::Place, uint32_t, uint32_t) { ++rows; });
    in.resize(rows * tables_ * padded(dim_));
    ranks_.exchange(to, std::as_bytes(std::span(out)), from, std::as_writable_bytes(std::span(in)));
    const float* row_in = in.data();
    for_rows_between(*this, before, now, from, me,
                     [&](ItemParts::Place, uint32_t part, uint32_t row) {
                       for (size_t table = 0; table < tables_; ++table, row_in += padded(dim_))
                         std::copy_n(row_in, padded(dim_), next.row(part, table, row));
                     });
  }
  uint64_t moved = store_.bytes_moved();
  for (uint32_t part = 0; part < now.parts(); ++part)
    if (is_home(part)) moved += next.on_disk() ? 2 * next.bytes_of(part) : 0;
  next.count_moved(moved);
  store_ = std::move(next);
}

void send_block(Communicator& ranks, int to, BlockStore& store, size_t block) {
  for (size_t table = 0; table < store.tables(); ++table)
    ranks.send(to, std::as_bytes(store.values(block, table)));
}

void receive_block(Communicator& ranks, int from, BlockStore& store, size_t block) {
  RowState state = store.fresh(block);
  for (Table RowState::*table : {&RowState::parameters, &RowState::m, &RowState::v}) {
    Table& received = state.*table;
    if (received.rows() > 0)
      ranks.receive(from, std::as_writable_bytes(std::span(received.data(), received.size())));
  }
  store.put(block, std::move(state));
}

}  // namespace divns
