#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The page of a report in Chromium: see report-ui/test/page.ts.
# `page_test.sh DIVNS live` checks the page of a training that goes on; `speed` measures how long the page of 50 runs takes.
set -euo pipefail
divns=$(realpath "$1")
program=${2:-page}
here=$(cd "$(dirname "$0")/../.." && pwd)
work=$here/build/report-page/npm
chromium=${DIVNS_CHROMIUM:-/usr/bin/chromium}
[ -s "$here/build/report-page/report.html" ] || { echo "SKIP: the page was not built, because npm or its packages are missing"; exit 77; }
[ -x "$chromium" ] || "$here/scripts/install-packages" browser >/dev/null 2>&1 || true
[ -x "$chromium" ] || { echo "SKIP: $chromium does not exist and could not be installed"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -r "$here/report-ui/src" "$here/report-ui/test" "$work/"
(cd "$work" && node_modules/.bin/tsc --noEmit && node_modules/.bin/esbuild "test/$program.ts" --bundle --platform=node --format=esm --packages=external \
  --outfile="test/$program.mjs" --log-level=warning)
node "$work/test/$program.mjs" "$divns" "$chromium" "$scratch"
