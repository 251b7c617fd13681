-- The gateway: what programs may do through an integration, what they did, and the switch that stops everything.

-- Integrations that exist already let nothing through until somebody decides; those of older processes likewise.
alter table integrations
  add column call_mode       text not null default 'off' check (call_mode in ('off', 'read', 'full')),
  add column call_accounts   text[],
  add column throttled_until timestamptz;                  -- the ad system asked for a pause: until then it is not disturbed

alter table organizations
  add column frozen_at     timestamptz,
  add column frozen_by     text,
  add column frozen_reason text,
  add constraint organizations_frozen check (num_nulls(frozen_at, frozen_by, frozen_reason) in (0, 3));

-- Changes, each written before it leaves, and calls that failed. Reads that went well are counted alone.
create table calls (
  organization_id   uuid not null,
  integration_id    uuid not null,
  id                uuid not null,
  at                timestamptz not null default clock_timestamp(),
  caller_type       text not null,
  caller_name       text not null,
  method            text not null,
  host              text not null,
  path              text not null,
  effect            text not null check (effect in ('read', 'change')),
  outcome           text,                                  -- null: under way, or the process ended before it knew
  status            int,
  duration_ms       int,
  vendor_request_id text,
  request_id        text not null,
  primary key (organization_id, integration_id, id),
  foreign key (organization_id, integration_id) references integrations (organization_id, id) on delete cascade
);
create index calls_newest on calls (organization_id, integration_id, at desc, id desc);
create index calls_sweep on calls (at);

create table call_usage (
  organization_id uuid not null,
  integration_id  uuid not null,
  hour            timestamptz not null,
  caller          text not null,
  effect          text not null,
  outcome         text not null,
  calls           int not null,
  primary key (organization_id, integration_id, hour, caller, effect, outcome),
  foreign key (organization_id, integration_id) references integrations (organization_id, id) on delete cascade
);
create index call_usage_sweep on call_usage (hour);

-- As the service's own table says.
create or replace function takes_power(action text) returns boolean language sql immutable as $$
  select action in ('user.signed_in', 'user.signed_out', 'member.updated', 'member.removed', 'workspace.deleted',
    'workspace_member.updated', 'workspace_member.removed', 'api_key.disabled', 'api_key.revoked', 'api_key.rotated',
    'integration.call_policy_changed', 'organization.frozen')
$$;
