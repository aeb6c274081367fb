// SPDX-License-Identifier: Apache-2.0
#include "distributed/mpi_communicator.h"

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "divns/stopwatch.h"

namespace divns {
namespace {

// Numbers of bytes are ints in MPI.
constexpr size_t kMostAtOnce = size_t{1} << 30;
constexpr int kDataTag = 1;
constexpr int kHeartbeatTag = 2;
constexpr std::chrono::milliseconds kHeartbeat(1000);

// Waits without taking the core from the other ranks of the host: MPI_Wait would poll all the time.
void wait_for(MPI_Request request) {
  std::chrono::microseconds pause(10);
  int done = 0;
  while (MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done == 0) {
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::microseconds(500));
  }
}

std::span<const std::byte> piece(std::span<const std::byte> bytes, size_t from) {
  return from < bytes.size() ? bytes.subspan(from, std::min(kMostAtOnce, bytes.size() - from))
                             : std::span<const std::byte>();
}

MPI_Request begin_send(int to, std::span<const std::byte> bytes) {
  MPI_Request request;
  MPI_Isend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, kDataTag, MPI_COMM_WORLD,
            &request);
  return request;
}

MPI_Request begin_receive(int from, std::span<std::byte> bytes) {
  MPI_Request request;
  MPI_Irecv(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, from, kDataTag, MPI_COMM_WORLD,
            &request);
  return request;
}

}  // namespace

MpiCommunicator::MpiCommunicator(double silence_seconds) : silence_seconds_(silence_seconds) {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  if (size_ > 1) watcher_ = std::thread([this] { watch(); });
}

MpiCommunicator::~MpiCommunicator() {
  leaving_ = true;
  if (watcher_.joinable()) watcher_.join();
}

std::string MpiCommunicator::name() const {
  char host[MPI_MAX_PROCESSOR_NAME];
  int length = 0;
  MPI_Get_processor_name(host, &length);
  return fmt::format("rank {} (process {} on {})", rank_, ::getpid(),
                     std::string_view(host, static_cast<size_t>(length)));
}

void MpiCommunicator::send(int to, std::span<const std::byte> bytes) {
  for (size_t from = 0; from < bytes.size(); from += kMostAtOnce)
    wait_for(begin_send(to, piece(bytes, from)));
  count_sent(bytes.size());
}

void MpiCommunicator::receive(int from, std::span<std::byte> bytes) {
  for (size_t begin = 0; begin < bytes.size(); begin += kMostAtOnce)
    wait_for(begin_receive(from, bytes.subspan(begin, piece(bytes, begin).size())));
}

void MpiCommunicator::exchange(int to, std::span<const std::byte> out, int from,
                               std::span<std::byte> in) {
  for (size_t begin = 0; begin < std::max(out.size(), in.size()); begin += kMostAtOnce) {
    MPI_Request arriving = MPI_REQUEST_NULL;
    if (begin < in.size())
      arriving = begin_receive(from, in.subspan(begin, piece(in, begin).size()));
    if (begin < out.size()) wait_for(begin_send(to, piece(out, begin)));
    wait_for(arriving);
  }
  count_sent(out.size());
}

void MpiCommunicator::broadcast(int root, std::span<std::byte> bytes) {
  for (size_t begin = 0; begin < bytes.size(); begin += kMostAtOnce) {
    MPI_Request request;
    MPI_Ibcast(bytes.data() + begin, static_cast<int>(piece(bytes, begin).size()), MPI_BYTE, root,
               MPI_COMM_WORLD, &request);
    wait_for(request);
  }
  if (root == rank_) count_sent(bytes.size() * static_cast<size_t>(size_ - 1));
}

void MpiCommunicator::watch() {
  const int next = (rank_ + 1) % size_;
  const int previous = (rank_ + size_ - 1) % size_;
  char beat = 0;
  char heard = 0;
  MPI_Request arriving;
  MPI_Irecv(&heard, 1, MPI_BYTE, previous, kHeartbeatTag, MPI_COMM_WORLD, &arriving);
  MPI_Request leaving = MPI_REQUEST_NULL;
  Stopwatch silence;
  while (!leaving_) {
    int sent = 0;
    MPI_Test(&leaving, &sent, MPI_STATUS_IGNORE);
    if (sent != 0) MPI_Isend(&beat, 1, MPI_BYTE, next, kHeartbeatTag, MPI_COMM_WORLD, &leaving);
    int done = 0;
    MPI_Test(&arriving, &done, MPI_STATUS_IGNORE);
    if (done != 0) {
      MPI_Irecv(&heard, 1, MPI_BYTE, previous, kHeartbeatTag, MPI_COMM_WORLD, &arriving);
      silence.lap();
    } else if (silence.seconds() > silence_seconds_) {
      fmt::print(stderr,
                 "divns: rank {} has not answered for {:.0f} s: it was stopped, or its host cannot "
                 "be reached. The job ends; --resume continues from the last checkpoint.\n",
                 previous, silence_seconds_);
      std::fflush(stderr);
      MPI_Abort(MPI_COMM_WORLD, 3);
    }
    for (int i = 0; i < 20 && !leaving_; ++i) std::this_thread::sleep_for(kHeartbeat / 20);
  }
  // Ranks leave one after another. Nobody waits for the last heartbeats.
  for (MPI_Request* request : {&arriving, &leaving}) {
    if (*request == MPI_REQUEST_NULL) continue;
    MPI_Cancel(request);
    MPI_Request_free(request);
  }
}

}  // namespace divns
