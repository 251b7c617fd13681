-- Requests that wait for events, over all processes: so many of a caller, so many of an organization. A row is removed when its wait ends;
-- that of a process that died counts until `ends_at`. Unlogged: after a crash of the database nobody waits.
create unlogged table waits (
  organization_id uuid not null references organizations (id) on delete cascade,
  id              uuid not null,
  caller          text not null,
  ends_at         timestamptz not null,
  primary key (organization_id, id)
);
create index waits_caller on waits (caller);
create index waits_sweep on waits (ends_at);

-- Null: it was let in. Otherwise whose share is used up: `caller` or `organization`. The locks are taken in one order, so that of two that
-- come at once the second one sees the first.
create function take_wait(organization uuid, wait uuid, who text, seconds int, most_of_caller int, most_of_organization int)
returns text language plpgsql as $$
begin
  perform pg_advisory_xact_lock(23001, hashtext(who));
  perform pg_advisory_xact_lock(23002, hashtext(organization::text));
  if (select count(*) from waits where caller = who and ends_at > clock_timestamp()) >= most_of_caller then
    return 'caller';
  end if;
  if (select count(*) from waits where organization_id = organization and ends_at > clock_timestamp()) >= most_of_organization then
    return 'organization';
  end if;
  insert into waits (organization_id, id, caller, ends_at)
  values (organization, wait, who, clock_timestamp() + make_interval(secs => seconds));
  return null;
end $$;
