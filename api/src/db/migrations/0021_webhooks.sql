-- Events beyond what people do: what the system notices, each once.

-- The client's first submission through a link, and its end. Links that ended before this version are not told of.
alter table connect_links
  add column started_at       timestamptz,
  add column expired_noted_at timestamptz;
update connect_links set expired_noted_at = now() where expires_at <= now();
create index connect_links_expiry on connect_links (expires_at) where expired_noted_at is null;

-- How many days before its end a key was last told of.
alter table api_keys add column expiring_noted int;
create index api_keys_expiry on api_keys (expires_at) where expires_at is not null and revoked_at is null;

-- How many days before its end the access that a client gave was last told of.
alter table integrations add column expiring_noted int;

-- Webhooks: where an organization's events are sent, and how far each has come on the trail.
create table webhooks (
  organization_id uuid not null references organizations (id) on delete cascade,
  id              uuid not null,
  url_sealed      text not null,
  url_shown       text not null,                       -- the origin, and that a path follows
  description     text,
  types           text[] not null,                     -- kinds and groups; none: all
  workspace_id    uuid,                                -- only of this one; it may be gone, and then nothing is sent
  workspace_slug  text,
  status          text not null default 'active' check (status in ('active', 'disabled', 'failing')),
  status_detail   text,
  secret_sealed   text not null,
  -- The secret before the last rotation signs as well, for a while.
  old_secret_sealed text,
  old_secret_until  timestamptz,
  owner_id        uuid not null references users (id),
  created_at      timestamptz not null default now(),
  -- The number of the last entry that is done with. It moves only when the consumer has answered.
  position        bigint not null,
  tries           int not null default 0,              -- failed tries of the event that is next
  refusals        int not null default 0,              -- how many of them were refusals (4xx)
  set_aside       int not null default 0,              -- events set aside in a row
  failing_since   timestamptz,
  warned_at       timestamptz,
  due_at          timestamptz not null default now(),
  leased_until    timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  primary key (organization_id, id)
);
-- What deliveries are taken from, over all tenants.
create index webhooks_due on webhooks (due_at) where status <> 'disabled';

-- What became of each try, for 30 days.
create table webhook_deliveries (
  organization_id uuid not null,
  webhook_id      uuid not null,
  id              uuid not null,
  at              timestamptz not null default clock_timestamp(),
  kind            text not null check (kind in ('event', 'test', 'redelivery')),
  event_id        uuid not null,
  sequence        bigint,                              -- of the entry; a test has none
  type            text not null,
  attempt         int not null,
  outcome         text check (outcome in ('delivered', 'failed', 'set_aside')), -- null: under way, or the process ended before it knew
  status          int,
  error           text,
  duration_ms     int,
  answer          text,
  primary key (organization_id, webhook_id, id),
  foreign key (organization_id, webhook_id) references webhooks (organization_id, id) on delete cascade
);
create index webhook_deliveries_newest on webhook_deliveries (organization_id, webhook_id, at desc, id desc);
create index webhook_deliveries_sweep on webhook_deliveries (at);
