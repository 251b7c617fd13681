#!/bin/sh
# Every night: a backup, then the whole database looked through:
# every audit chain, everything sealed, every key.
#   nightly.sh FOLDER
# FOLDER gets the backup, and adjoin_nightly.prom for the textfile
# collector of Prometheus' node_exporter. Ends with 1 if anything is wrong.
#   NIGHTLY_RECIPIENTS   age keys (age1…) that the backup is encrypted for, with spaces in between; not encrypted without
#   NIGHTLY_CHECKPOINTS  the file, or the folder of files, that AUDIT_CHECKPOINTS fills: every trail is compared with it
set -u
folder="${1:?name the folder for backups, for example nightly.sh /backups}"
report="$folder/adjoin_nightly.prom"
umask 077
wrong=0
results=''

step() {
  name="$1"
  shift
  if adjoin-admin "$@"; then ok=1; else ok=0 wrong=1; fi
  results="${results}adjoin_nightly_ok{step=\"$name\"} $ok
"
}

set -- # from here on: one --encrypt for each recipient
for recipient in ${NIGHTLY_RECIPIENTS:-}; do set -- "$@" --encrypt "$recipient"; done
step backup backup "$folder/adjoin-$(date -u +%Y-%m-%dT%H%M%SZ).backup" "$@"
step check check
step keys keys
kept="${NIGHTLY_CHECKPOINTS:-}"
if [ -d "$kept" ]; then # a file for each day; if there is none, that is told as a file that is not there
  kept="$folder/.checkpoints"
  cat "$NIGHTLY_CHECKPOINTS"/*.ndjson >"$kept" || rm -f "$kept"
fi
if [ -n "$kept" ]; then
  step checkpoints verify-audit --checkpoints "$kept"
fi
rm -f "$folder/.checkpoints"

{
  echo '# HELP adjoin_nightly_ok Whether the step of the nightly run went well'
  echo '# TYPE adjoin_nightly_ok gauge'
  printf '%s' "$results"
  echo '# HELP adjoin_nightly_finished_seconds When the nightly run ended'
  echo '# TYPE adjoin_nightly_finished_seconds gauge'
  echo "adjoin_nightly_finished_seconds $(date +%s)"
} >"$report.new"
chmod 644 "$report.new"
mv "$report.new" "$report"
exit "$wrong"
