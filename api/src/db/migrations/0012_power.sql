-- A power must not outlive its revocation. Each chain head carries a version that every entry which takes power away raises. A request
-- reads it together with its roles, and whoever appends with an older one is told so, under the head's lock: their roles must be read again.
alter table audit_heads add column power bigint not null default 0;

-- Called last in a transaction, as `append_audit` was. False: the powers of this organization have changed since `seen`, and nothing was
-- written. `seen` is null where nobody's role decides (jobs, connect links, sign-ins).
create function append_audit_entry(organization uuid, content text, seen bigint, takes_power boolean) returns boolean language plpgsql as $$
declare
  head audit_heads%rowtype;
  at timestamptz;
  digest bytea;
begin
  select * into strict head from audit_heads where organization_id = organization for update;
  if head.power <> seen then
    return false;
  end if;
  at := greatest(date_trunc('milliseconds', clock_timestamp()), head.created_at);
  digest := sha256(head.hash || convert_to(
    (head.sequence + 1)::text || ' ' || to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || ' ' || content, 'utf8'));
  insert into audit_entries (organization_id, sequence, created_at, content, previous_hash, hash)
    values (organization, head.sequence + 1, at, content, head.hash, digest);
  update audit_heads set sequence = head.sequence + 1, hash = digest, created_at = at, power = head.power + takes_power::int
    where organization_id = organization;
  return true;
end $$;

-- The kinds that take power away. The service decides by its own table, which a test holds to this one; this is for the next function.
create function takes_power(action text) returns boolean language sql immutable as $$
  select action in ('user.signed_in', 'user.signed_out', 'member.updated', 'member.removed', 'workspace.deleted',
    'workspace_member.updated', 'workspace_member.removed', 'api_key.disabled', 'api_key.revoked', 'api_key.rotated')
$$;

-- What a process of the version before still calls while both run: it knows no version, but what it takes away must be noticed.
create or replace function append_audit(organization uuid, content text) returns bigint language plpgsql as $$
begin
  perform append_audit_entry(organization, content, null, takes_power(content::jsonb ->> 'action'));
  return (select sequence from audit_heads where organization_id = organization);
end $$;
