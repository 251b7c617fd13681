-- Every filter of the audit trail is answered from an index that ends in `sequence`: a page costs what it shows, however rarely the
-- filter matches. Each index costs an insert some microseconds, beside a commit's hundreds.

create index audit_entries_actor on audit_entries (organization_id, actor_id, sequence);
create index audit_entries_actor_email on audit_entries (organization_id, actor_email, sequence);
create index audit_entries_target_type on audit_entries (organization_id, target_type, sequence);
create index audit_entries_workspace on audit_entries (organization_id, workspace, sequence) where workspace is not null;
create index audit_entries_time on audit_entries (organization_id, created_at, sequence);

-- Time never runs backwards along a chain, even where the clock does: a span of time is then a span of sequence numbers.
alter table audit_heads add column created_at timestamptz not null default '-infinity';

create or replace function append_audit(organization uuid, content text) returns bigint language plpgsql as $$
declare
  head audit_heads%rowtype;
  at timestamptz;
  digest bytea;
begin
  select * into strict head from audit_heads where organization_id = organization for update;
  at := greatest(date_trunc('milliseconds', clock_timestamp()), head.created_at);
  digest := sha256(head.hash || convert_to(
    (head.sequence + 1)::text || ' ' || to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || ' ' || content, 'utf8'));
  insert into audit_entries (organization_id, sequence, created_at, content, previous_hash, hash)
    values (organization, head.sequence + 1, at, content, head.hash, digest);
  update audit_heads set sequence = head.sequence + 1, hash = digest, created_at = at where organization_id = organization;
  return head.sequence + 1;
end $$;
