#!/bin/sh
# Makes the files that compose.yaml mounts as secrets. What is there already is kept, so it may be run again.
#   SMTP_URL=smtps://user:password@mail.example:465 deploy/make-secrets.sh [FOLDER]
# Keep a copy of seal_keys in a safe, apart from your backups:
# without it no credential can ever be opened again.
set -eu
folder="${1:-$(dirname "$0")/secrets}"
random() { head -c "$1" /dev/urandom; }

umask 077
mkdir -p "$folder"
if [ ! -s "$folder/smtp_url" ] && [ -z "${SMTP_URL:-}" ]; then
  echo "SMTP_URL is required, for example SMTP_URL=smtps://user:password@mail.example:465 $0" >&2
  exit 1
fi

keep() { [ -s "$folder/$1" ] || printf '%s\n' "$2" >"$folder/$1"; }
keep smtp_url "${SMTP_URL:-}"
keep seal_keys "$(date -u +%Y%m%d):$(random 32 | base64 | tr -d '\n')"
for account in postgres database_owner database_run; do
  keep "${account}_password" "$(random 24 | od -An -v -tx1 | tr -d ' \n')"
done
keep database_owner_url "postgres://adjoin_owner:$(cat "$folder/database_owner_password")@postgres:5432/adjoin"
keep database_run_url "postgres://adjoin_run:$(cat "$folder/database_run_password")@postgres:5432/adjoin"

# Compose mounts a file as it is, and the containers run as users of their own:
# the folder is closed to others, the files in it are not.
chmod 444 "$folder"/*
echo "$folder: $(ls "$folder" | tr '\n' ' ')"
