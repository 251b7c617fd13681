-- Integrations: a workspace's connections to ad systems, their sealed credentials, links, and the history of their checks.

create table integrations (
  organization_id    uuid not null,
  id                 uuid not null default gen_random_uuid(),
  workspace_id       uuid not null,
  provider           text not null,
  name               text not null,
  status             text not null default 'pending' check (status in ('pending', 'active', 'error', 'disabled')),
  enabled_status     text,                                 -- what `disabled` hides: the status to return to after a transient failure
  status_detail      text,
  status_checked_at  timestamptz,
  last_error         text,
  last_error_at      timestamptz,
  settings           jsonb not null default '{}',
  connected_at       timestamptz,
  connected_account  text,
  expected_account   text,
  return_url         text,
  created_by         uuid references users (id) on delete set null,
  created_at         timestamptz not null default clock_timestamp(),
  updated_at         timestamptz not null default clock_timestamp(),
  -- The credential, sealed for this row alone. Its version rises with every change: whoever renews compares and sets, so that a
  -- background refresh never overwrites what a client has just connected.
  credential         text,
  credential_version int not null default 0,
  check_due_at       timestamptz,
  renew_due_at       timestamptz,
  leased_until       timestamptz,                          -- one check, refresh or login at a time, over all replicas
  primary key (organization_id, id),
  foreign key (organization_id, workspace_id) references workspaces (organization_id, id) on delete cascade
);
create index integrations_workspace on integrations (organization_id, workspace_id, created_at, id);
-- What the checks take from, over all tenants: the work of one process must not depend on how many organizations there are.
create index integrations_due on integrations (least(check_due_at, renew_due_at)) where credential is not null and status in ('active', 'error');

-- The live connect link of an integration: at most one. Used, replaced or revoked means gone; expired stays, so that it can say so.
create table connect_links (
  organization_id uuid not null,
  integration_id  uuid not null,
  token_hash      bytea not null,
  token_sealed    text not null,
  created_at      timestamptz not null default now(),
  expires_at      timestamptz not null,
  primary key (organization_id, integration_id),
  constraint connect_links_token unique (token_hash),
  foreign key (organization_id, integration_id) references integrations (organization_id, id) on delete cascade
);

-- A visit to a consent screen: consumed by the callback that brings its id back. Global: it is looked up by its random id alone.
create table connect_visits (
  id         uuid primary key,
  expires_at timestamptz not null
);
create index connect_visits_sweep on connect_visits (expires_at);

create table integration_checks (
  organization_id uuid not null,
  integration_id  uuid not null,
  id              uuid not null default gen_random_uuid(),
  kind            text not null,
  outcome         text not null,
  reason          text,
  detail          text,
  status          text not null,
  duration_ms     int not null,
  checked_at      timestamptz not null default clock_timestamp(),
  primary key (organization_id, integration_id, id),
  foreign key (organization_id, integration_id) references integrations (organization_id, id) on delete cascade
);
create index integration_checks_newest on integration_checks (organization_id, integration_id, checked_at desc);
create index integration_checks_sweep on integration_checks (checked_at);
