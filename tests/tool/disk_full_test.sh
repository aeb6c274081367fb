#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A full disk gets a sentence and leaves nothing behind. Needs a small file system of its own: a tmpfs in a private mount
# namespace, so it is skipped (77) where that is not allowed.
if [ -z "${DIVNS_IN_NAMESPACE:-}" ]; then
  unshare --mount --map-root-user true 2>/dev/null || { echo 'mount namespaces are not allowed here'; exit 77; }
  DIVNS_IN_NAMESPACE=1 exec unshare --mount --map-root-user bash "$0" "$@"
fi
source "$(dirname "$0")/support.sh"
mkdir small
mount -t tmpfs -o size=64k none small || exit 77
seq 1 20000 | awk '{print $1 % 997 "\t" $1 % 1009}' >pairs.tsv
expect 3 'could not be written: No space left on device.*What was there before is unchanged' "$divns" data prepare pairs.tsv -o small/out
[ -z "$(ls -A small)" ] || die "left behind: $(ls -A small)"
# The path that the user gave, not the temporary one.
"$divns" data prepare pairs.tsv -o small/out 2>err
grep -q '^divns: small/out/[a-z.]* could not be written' err || die "no final path: $(cat err)"
expect 3 'No space left on device' "$divns" data synth --tsv small/pairs.tsv
[ -z "$(ls -A small)" ] || die "left behind: $(ls -A small)"
# Pairs beyond the memory limit.
seq 1 900000 | awk '{print $1 % 997 "\t" $1 % 1009}' >many.tsv
expect 3 'a scratch file in small could not be written: No space left on device. Choose another folder with --scratch' \
  "$divns" data prepare many.tsv --threads 1 --memory-limit 90M --scratch small -o out
[ -z "$(ls -A small)" ] || die "left behind: $(ls -A small)"
[ -e out ] && die 'an output was written'
umount small
echo passed
