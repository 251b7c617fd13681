-- Onboarding: several integrations behind one link, what a client keeps of it, and access that ends on an agreed day.

-- A request to a client. Its token is known as a connect link's is; canceled means that both copies of it are gone.
create table connect_requests (
  organization_id uuid not null,
  id              uuid not null,
  workspace_id    uuid not null,
  title           text not null,
  message         text,
  language        text,
  client_email    text,
  client_name     text,
  mailbox_hash    bytea,                                   -- of the client's mailbox, as `client_mails` knows it
  return_url      text,
  reminders       boolean not null,
  token_hash      bytea,
  token_sealed    text,
  expires_at      timestamptz not null,
  created_by      uuid references users (id) on delete set null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  sent_at         timestamptz,
  started_at      timestamptz,
  completed_at    timestamptz,
  canceled_at     timestamptz,
  -- Since when the client is reminded, which reminder comes next, counted from 1, and when; none: there is nothing to remind of.
  remind_from     timestamptz,
  remind_step     int,
  remind_at       timestamptz,
  primary key (organization_id, id),
  constraint connect_requests_token unique (token_hash),
  foreign key (organization_id, workspace_id) references workspaces (organization_id, id) on delete cascade
);
create index connect_requests_newest on connect_requests (organization_id, workspace_id, created_at desc, id);
create index connect_requests_remind on connect_requests (remind_at) where remind_at is not null;
create index connect_requests_sweep on connect_requests (greatest(completed_at, canceled_at, expires_at));

-- What it asks for, each an integration. The token is that of a link for this item alone, made when the client passes it on.
create table connect_items (
  organization_id uuid not null,
  id              uuid not null,
  request_id      uuid not null,
  integration_id  uuid not null,
  position        int not null,
  optional        boolean not null,
  access_until    date,                                    -- what the client agrees to by connecting
  token_hash      bytea,
  token_sealed    text,
  passed_on_at    timestamptz,
  started_at      timestamptz,
  connected_at    timestamptz,
  declined_at     timestamptz,
  failed_reason   text,                                    -- of the last attempt
  primary key (organization_id, id),
  constraint connect_items_token unique (token_hash),
  foreign key (organization_id, request_id) references connect_requests (organization_id, id) on delete cascade,
  foreign key (organization_id, integration_id) references integrations (organization_id, id) on delete cascade
);
create index connect_items_request on connect_items (organization_id, request_id, position);
create index connect_items_integration on connect_items (organization_id, integration_id);

alter table integrations
  -- The client is asked for it by an open request until then: at most one at a time.
  add column requested_until timestamptz,
  -- The day on which access ends, and how many days before it was last told of.
  add column access_until    date,
  add column access_noted    int;
create index integrations_access_until on integrations (access_until) where access_until is not null and credential is not null;

-- What a client keeps after connecting: at most one an integration, replaced by the next success.
create table receipts (
  organization_id uuid not null,
  integration_id  uuid not null,
  token_hash      bytea not null,
  token_sealed    text not null,
  connected_at    timestamptz not null,
  account         text,
  scopes          text[] not null,
  language        text,
  ended_at        timestamptz,
  primary key (organization_id, integration_id),
  constraint receipts_token unique (token_hash),
  foreign key (organization_id, integration_id) references integrations (organization_id, id) on delete cascade
);

-- The mailboxes that an organization has written to as clients, known by keyed hashes alone; stopped means for good.
create table client_mails (
  organization_id uuid not null references organizations (id) on delete cascade,
  mailbox_hash    bytea not null,
  token_hash      bytea not null,
  shown           text not null,                           -- a•••@client.example
  stopped_at      timestamptz,
  primary key (organization_id, mailbox_hash),
  constraint client_mails_token unique (token_hash)
);
