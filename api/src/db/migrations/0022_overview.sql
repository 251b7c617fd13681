-- The overview: every integration of an organization in one list, since when it is as it is, and how its days were.

-- For sorting and searching: without case, diacritics and ligatures, in any script. The words of a search pass through the same function.
create function folded(value text) returns text language sql immutable parallel safe as $$
  select lower(translate(replace(replace(replace(replace(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g'),
    'ß', 'ss'), 'ẞ', 'SS'), 'æ', 'ae'), 'œ', 'oe'), 'øØłŁđĐıðÐ', 'oOlLdDidD'))
$$;

alter table integrations
  add column status_since  timestamptz not null default clock_timestamp(),
  -- Of the stored credential: when it ends unless a person acts. Null: stored before this was kept; the next check tells.
  add column grant_ends_at timestamptz,
  add column grant_end     text check (grant_end in ('known', 'estimated', 'never')),
  -- Who looks after it and gets its mails; else its creator.
  add column owner_id      uuid references users (id) on delete set null,
  add column name_key      text generated always as (left(folded(name), 60)) stored,
  add column search        text generated always as (folded(name || ' ' || coalesce(connected_account, ''))) stored;
update integrations set status_since = updated_at;

-- Whoever changes the status, and however.
create function note_status_since() returns trigger language plpgsql as $$
begin
  new.status_since := clock_timestamp();
  return new;
end $$;
create trigger integrations_status_since before update of status on integrations
  for each row when (old.status is distinct from new.status) execute function note_status_since();

alter table workspaces add column name_key text generated always as (left(folded(name), 60)) stored;

-- One for each order of the list, so that a page costs the same among twenty thousand.
create index integrations_by_name on integrations (organization_id, name_key, id);
create index integrations_by_status on integrations (organization_id, status, name_key, id);
create index integrations_by_workspace on integrations (organization_id, workspace_id, name_key, id);
create index integrations_by_grant_end on integrations (organization_id, (coalesce(grant_ends_at, 'infinity')), id);
create index integrations_ending on integrations (grant_ends_at) where grant_ends_at is not null;
create index integrations_owner on integrations (owner_id) where owner_id is not null;
create index workspaces_by_name on workspaces (organization_id, name_key, id);

-- The checks of a day, counted as they are made. What a month looked like is read from here, never from the checks themselves.
create table integration_days (
  organization_id uuid not null,
  integration_id  uuid not null,
  day             date not null,                           -- of UTC
  verified        int not null,
  rejected        int not null,
  unreachable     int not null,
  primary key (organization_id, integration_id, day),
  foreign key (organization_id, integration_id) references integrations (organization_id, id) on delete cascade
);
create index integration_days_of_organization on integration_days (organization_id, day);
create index integration_days_sweep on integration_days (day);
insert into integration_days (organization_id, integration_id, day, verified, rejected, unreachable)
select organization_id, integration_id, (checked_at at time zone 'utc')::date,
  count(*) filter (where outcome = 'verified'), count(*) filter (where outcome = 'rejected'), count(*) filter (where outcome = 'unreachable')
from integration_checks group by 1, 2, 3;

-- The days of an organization that are over: how many of its integrations were in which status when the day ended.
create table organization_days (
  organization_id uuid not null references organizations (id) on delete cascade,
  day             date not null,
  active          int not null,
  error           int not null,
  pending         int not null,
  primary key (organization_id, day)
);
create index organization_days_sweep on organization_days (day);
-- And how many checks of each ad system were made, and failed.
create table provider_days (
  organization_id uuid not null references organizations (id) on delete cascade,
  day             date not null,
  provider        text not null,
  checks          int not null,
  failures        int not null,
  primary key (organization_id, day, provider)
);
create index provider_days_sweep on provider_days (day);

-- Mails about integrations: at once, once a day, or none.
alter table users add column notifications text not null default 'now' check (notifications in ('now', 'daily', 'off'));

-- What those who want one mail a day have not been told yet.
create table notices (
  user_id         uuid not null references users (id) on delete cascade,
  organization_id uuid not null,
  integration_id  uuid not null,
  id              uuid not null default gen_random_uuid(),
  kind            text not null check (kind in ('connected', 'failed')),
  at              timestamptz not null default now(),
  primary key (organization_id, integration_id, id),
  foreign key (organization_id, integration_id) references integrations (organization_id, id) on delete cascade
);
create index notices_due on notices (at);
