#!/bin/sh
# Run by Patroni once, on the first primary of a new cluster, with its address: the accounts and the database of the
# service, as on a single server.
set -eu
for file in roles database; do
  psql "$1" --no-psqlrc --quiet --set ON_ERROR_STOP=1 --file "../postgres/$file.sql"
done
