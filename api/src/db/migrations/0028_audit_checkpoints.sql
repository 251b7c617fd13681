-- How far each trail is covered by signed checkpoints that were written to a place outside this database. A table of its own:
-- the heads are locked by every change, and are not to wait for this.
create table audit_checkpoints (
  organization_id uuid primary key references organizations (id) on delete cascade,
  sequence        bigint not null,
  written_at      timestamptz not null default now()
);
