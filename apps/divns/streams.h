// SPDX-License-Identifier: Apache-2.0
// The standard streams. Results go to standard output and a failure to write them is an error.
// Messages for a person go to standard error and a failure to write them is ignored.
#pragma once

#include <string_view>

namespace divns::app {

// Call first. Reserves the descriptors 0, 1 and 2 where the caller closed them, so that no file
// opened later gets one of these numbers. Using a stream that was closed stays an error.
void open_standard_streams();

// Thrown when the reader of standard output has gone, as in `divns list options | head -1`.
struct ReaderGone {};

// Writes to standard output, with a line break at the end. Throws MachineError or ReaderGone.
void print_result(std::string_view text);
// Flushes and closes standard output. Throws as print_result does.
void close_output();

// Writes to standard error. Errors are ignored.
void print_message(std::string_view text);

// Writes lines of a log to standard output at once. Errors are ignored: a server goes on when
// nobody reads its log.
void print_log(std::string_view lines);

// Columns of the terminal behind this descriptor; `otherwise` if there is none.
int terminal_columns(int descriptor, int otherwise);
// Width of tables on standard output: that of the terminal, from 60 to 200; 120 in files and pipes.
int result_columns();

}  // namespace divns::app
