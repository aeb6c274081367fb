// SPDX-License-Identifier: Apache-2.0
#include "exit_code.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <new>
#include <string>
#include <system_error>

#include "divns/error.h"
#include "stop_signal.h"
#include "streams.h"

namespace divns::app {
namespace {

int complain(int code, std::string_view sentence) {
  print_message(fmt::format("divns: {}\n", sentence));
  return code;
}

// Codes of the operating system that a wrong path explains; the others are the machine's.
bool is_user_error(const std::error_code& code) {
  switch (code.value()) {
    case ENOENT:
    case ENOTDIR:
    case EISDIR:
    case EEXIST:
    case ENOTEMPTY:
    case ELOOP:
    case ENAMETOOLONG:
    case EINVAL:
    case EACCES:
    case EPERM:
    case EROFS:
      return true;
    default:
      return false;
  }
}

int complain(const std::error_code& code, const std::string& subject) {
  return complain(is_user_error(code) ? kUserError : kMachineError,
                  fmt::format("{}: {}.", subject, code.message()));
}

}  // namespace

int report_exception() {
  try {
    throw;
  } catch (const MachineError& error) {
    return complain(kMachineError, error.what());
  } catch (const Error& error) {
    return complain(kUserError, error.what());
  } catch (const Cancelled&) {
    mark_unfinished();
    print_message("divns: stopped before the end; the same command continues the work.\n");
    return exit_code_after_stop();
  } catch (const ReaderGone&) {
    return kReaderGone;
  } catch (const std::filesystem::filesystem_error& error) {
    const std::string path = error.path1().string();
    return complain(error.code(), path.empty() ? "the file system refused" : path);
  } catch (const std::system_error& error) {
    return complain(error.code(), "the operating system refused");
  } catch (const std::bad_alloc&) {
    return complain(kMachineError, "there is not enough memory.");
  } catch (const std::exception& error) {
    return complain(kOurBug,
                    fmt::format("this is a bug in divns, please report it: {}", error.what()));
  } catch (...) {
    return complain(kOurBug, "this is a bug in divns, please report it: unknown exception.");
  }
}

void handle_fatal_signals() {
  std::signal(SIGABRT, [](int) { ::_exit(kOurBug); });
  // Only calls that are allowed in signal handlers.
  std::signal(SIGBUS, [](int) {
    constexpr std::string_view kSentence =
        "divns: a file became shorter while it was read, or its disk failed; what was written so "
        "far is complete.\n";
    static_cast<void>(!::write(STDERR_FILENO, kSentence.data(), kSentence.size()));
    ::_exit(kMachineError);
  });
}

}  // namespace divns::app
