#!/bin/sh
# Makes the files that compose.ha.yaml mounts as secrets: those of compose.yaml, and what a cluster has besides.
#   SMTP_URL=smtps://user:password@mail.example:465 deploy/ha/make-secrets.sh [FOLDER]
set -eu
here="$(dirname "$0")"
folder="${1:-$here/../secrets}"
"$here/../make-secrets.sh" "$folder" >/dev/null

umask 077
keep() { [ -s "$folder/$1" ] || printf '%s\n' "$2" >"$folder/$1"; }
for account in replication rewind patroni; do
  keep "${account}_password" "$(head -c 24 /dev/urandom | od -An -v -tx1 | tr -d ' \n')"
done
# Both HAProxies are named: if one is gone, the other is used.
primary='haproxy-1:5432,haproxy-2:5432/adjoin?target_session_attrs=read-write'
run="adjoin_run:$(cat "$folder/database_run_password")"
keep ha_database_owner_url "postgres://adjoin_owner:$(cat "$folder/database_owner_password")@$primary"
keep ha_database_run_url "postgres://$run@$primary"
keep ha_database_standby_url "postgres://$run@haproxy-1:5433/adjoin"
chmod 444 "$folder"/*
echo "$folder: $(ls "$folder" | tr '\n' ' ')"
