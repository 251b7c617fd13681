-- The audit trail: one hash chain per organization. Entries are only ever added.

create table audit_heads (
  organization_id uuid primary key references organizations (id) on delete cascade,
  sequence        bigint not null default 0,
  hash            bytea not null default '\x0000000000000000000000000000000000000000000000000000000000000000'
);

-- `content` is the hashed JSON text; what filters read is generated from it, so that neither can drift from the other.
create table audit_entries (
  organization_id uuid not null,
  sequence        bigint not null,
  created_at      timestamptz not null,
  content         text not null,
  previous_hash   bytea not null,
  hash            bytea not null,
  action          text not null generated always as (content::jsonb ->> 'action') stored,
  actor_id        text generated always as (content::jsonb #>> '{actor,id}') stored,
  actor_email     text generated always as (content::jsonb #>> '{actor,email}') stored,
  target_type     text generated always as (content::jsonb #>> '{target,type}') stored,
  target_id       text generated always as (content::jsonb #>> '{target,id}') stored,
  workspace       text generated always as (content::jsonb #>> '{workspace,slug}') stored,
  primary key (organization_id, sequence)
);
create index audit_entries_action on audit_entries (organization_id, action, sequence);
create index audit_entries_target on audit_entries (organization_id, target_id, sequence);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit entries are append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_entries_append_only before update or delete or truncate on audit_entries
  for each statement execute function refuse_change();

-- Called last in a transaction: it locks the organization's chain head until the commit. A plain statement that reads the head in a
-- sub-select would see the snapshot from before it waited, and break the chain under concurrency.
create function append_audit(organization uuid, content text) returns bigint language plpgsql as $$
declare
  head audit_heads%rowtype;
  at timestamptz;
  digest bytea;
begin
  select * into strict head from audit_heads where organization_id = organization for update;
  at := date_trunc('milliseconds', clock_timestamp());
  digest := sha256(head.hash || convert_to(
    (head.sequence + 1)::text || ' ' || to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || ' ' || content, 'utf8'));
  insert into audit_entries (organization_id, sequence, created_at, content, previous_hash, hash)
    values (organization, head.sequence + 1, at, content, head.hash, digest);
  update audit_heads set sequence = head.sequence + 1, hash = digest where organization_id = organization;
  return head.sequence + 1;
end $$;
