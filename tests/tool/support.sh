# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests of the tool.
set -uo pipefail
divns=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1

die() { echo "FAILED: $*" >&2; exit 1; }

# expect CODE PATTERN command...: the exit code, and a pattern that standard output and error together must match.
expect() {
  local code=$1 pattern=$2 output status
  shift 2
  output=$("$@" 2>&1)
  status=$?
  [ "$status" -eq "$code" ] || die "exit code $status instead of $code from: $* -> $output"
  grep -qE -- "$pattern" <<<"$output" || die "no '$pattern' in the output of: $* -> $output"
}
