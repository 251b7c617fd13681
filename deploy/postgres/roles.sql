-- Two accounts: one that owns the schema and changes it (adjoin-admin migrate, restore), one that the service runs as. The second reads and
-- writes rows and nothing more: it cannot drop a table, nor switch off the trigger that keeps the audit trail append-only.
-- Run once by a superuser, with psql. compose.yaml mounts it where the PostgreSQL image looks for it on its first start.
\set owner_password `cat "${SECRETS:-/run/secrets}/database_owner_password"`
\set run_password `cat "${SECRETS:-/run/secrets}/database_run_password"`
create role adjoin_owner login password :'owner_password';
create role adjoin_run login password :'run_password';
