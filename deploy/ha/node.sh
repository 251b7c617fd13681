#!/bin/sh
# A node: passwords come from the secret files, everything else from PATRONI_… variables and patroni.yml beside this file.
#   node.sh                      starts Patroni, and with it PostgreSQL
#   node.sh list | switchover …  asks or tells the cluster, as patronictl does
set -eu
cd "$(dirname "$(readlink -f "$0")")"
secrets="${SECRETS:-/run/secrets}"
PATRONI_SUPERUSER_PASSWORD="$(cat "$secrets/postgres_password")"
PATRONI_REPLICATION_PASSWORD="$(cat "$secrets/replication_password")"
PATRONI_REWIND_PASSWORD="$(cat "$secrets/rewind_password")"
PATRONI_RESTAPI_PASSWORD="$(cat "$secrets/patroni_password")"
PATRONI_RESTAPI_USERNAME=patroni
export PATRONI_SUPERUSER_PASSWORD PATRONI_REPLICATION_PASSWORD PATRONI_REWIND_PASSWORD
export PATRONI_RESTAPI_USERNAME PATRONI_RESTAPI_PASSWORD
# Several words are allowed: PATRONI="python3 -m patroni".
[ $# -eq 0 ] || exec ${PATRONICTL:-patronictl} --config-file ./patroni.yml "$@"
exec ${PATRONI:-patroni} ./patroni.yml
