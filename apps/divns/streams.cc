// SPDX-License-Identifier: Apache-2.0
#include "streams.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>
#include <utility>

#include "divns/error.h"

namespace divns::app {
namespace {

[[noreturn]] void output_failed(int error) {
  if (error == EPIPE) throw ReaderGone();
  throw MachineError(fmt::format("standard output could not be written: {}.",
                                 std::generic_category().message(error)));
}

// What a flush before a message met. stdio forgets it once the buffer is gone.
int flush_error = 0;

void write_if_possible(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<size_t>(written));
  }
}

bool is_open(int descriptor) {
  return ::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF;
}

}  // namespace

void open_standard_streams() {
  // Input and output get the wrong direction, so that using them fails with "Bad file descriptor".
  constexpr std::pair<int, int> kModes[] = {
      {STDIN_FILENO, O_WRONLY}, {STDOUT_FILENO, O_RDONLY}, {STDERR_FILENO, O_WRONLY}};
  for (const auto& [descriptor, mode] : kModes)
    // open() takes the lowest free number, which is this one.
    if (!is_open(descriptor)) static_cast<void>(::open("/dev/null", mode));
  // A reader that has gone is an error of the write that meets it. By default it would end a
  // training whose messages are piped somewhere.
  std::signal(SIGPIPE, SIG_IGN);
}

void print_result(std::string_view text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() &&
                       (text.ends_with('\n') || std::fputc('\n', stdout) != EOF);
  if (!written) output_failed(errno);
}

void close_output() {
  errno = 0;
  const bool failed_before = std::ferror(stdout) != 0;
  if (std::fflush(stdout) != 0 || failed_before)
    output_failed(errno != 0 ? errno : flush_error != 0 ? flush_error : EIO);
  // Some file systems report a full disk on close. A second descriptor shows it while stdout stays
  // open for exit handlers.
  const int copy = ::dup(STDOUT_FILENO);
  if (copy != -1 && ::close(copy) != 0) output_failed(errno);
}

void print_message(std::string_view text) {
  // Where both streams go to one file, results and messages keep their order.
  if (std::fflush(stdout) != 0 && flush_error == 0) flush_error = errno;
  write_if_possible(STDERR_FILENO, text);
}

void print_log(std::string_view lines) {
  write_if_possible(STDOUT_FILENO, lines);
}

int terminal_columns(int descriptor, int otherwise) {
  winsize size = {};
  if (::isatty(descriptor) != 1) return otherwise;
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

int result_columns() {
  return std::clamp(terminal_columns(STDOUT_FILENO, 120), 60, 200);
}

}  // namespace divns::app
