// SPDX-License-Identifier: Apache-2.0
#include "http/work_queue.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace divns::http {
namespace {

TEST(WorkQueue, HandsOutFairSharesInOrder) {
  WorkQueue queue(5);
  std::vector<Task> tasks(4);
  for (size_t i = 0; i < tasks.size(); ++i) tasks[i].connection = i;
  EXPECT_EQ(queue.add(tasks), 4U);
  EXPECT_EQ(queue.add(tasks), 1U);  // there is room for one more
  const std::vector<Task> half = queue.take(2, 10);
  ASSERT_EQ(half.size(), 3U);
  EXPECT_EQ(half[0].connection, 0U);
  EXPECT_EQ(queue.take(1, 1).size(), 1U);
  EXPECT_EQ(queue.take(2, 10).size(), 1U);
  queue.close();
  EXPECT_TRUE(queue.take(2, 10).empty());
}

TEST(Mailbox, DropsTheOldestEventsOfAReaderThatDoesNotRead) {
  Mailbox mailbox;
  for (size_t i = 0; i < Mailbox::kMostEvents + 3; ++i) mailbox.add_event(std::to_string(i));
  mailbox.add(std::vector<Done>(1));
  const Mailbox::Content content = mailbox.fetch();
  EXPECT_EQ(content.events.size(), Mailbox::kMostEvents);
  EXPECT_EQ(content.events.front(), "3");
  EXPECT_EQ(content.done.size(), 1U);
  EXPECT_TRUE(mailbox.fetch().events.empty());
}

}  // namespace
}  // namespace divns::http
