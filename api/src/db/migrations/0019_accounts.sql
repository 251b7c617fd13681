-- The accounts that a connection reaches at its ad system, as they were last listed.

alter table integrations
  add column accounts_due_at       timestamptz,            -- when they are listed next; whoever lists them moves it on first
  add column accounts_refreshed_at timestamptz,            -- null: never yet
  add column accounts_complete     boolean not null default true;

-- Over a day, so that a start does not ask every ad system at once.
update integrations set accounts_due_at = now() + random() * interval '1 day' where credential is not null;
create index integrations_accounts_due on integrations (accounts_due_at) where credential is not null and status in ('active', 'error');

create table integration_accounts (
  organization_id uuid not null,
  integration_id  uuid not null,
  kind            text not null,
  id              text not null,
  name            text not null,
  parent_id       text,
  currency        text,
  time_zone       text,
  status          text,
  roots           text[] not null default '{}',            -- the managers through which it is reached
  aliases         text[] not null default '{}',            -- other ids by which calls name it
  primary key (organization_id, integration_id, kind, id),
  foreign key (organization_id, integration_id) references integrations (organization_id, id) on delete cascade
);

-- The accounts that a call named, where its ad system's calls do.
alter table calls add column account text;

-- Report jobs that were started inside of a fence, and for which accounts: their handles may be used again, others may not.
create table call_handles (
  organization_id uuid not null,
  integration_id  uuid not null,
  kind            text not null,
  handle          text not null,
  accounts        text[] not null,
  expires_at      timestamptz not null,
  primary key (organization_id, integration_id, kind, handle),
  foreign key (organization_id, integration_id) references integrations (organization_id, id) on delete cascade
);
create index call_handles_sweep on call_handles (expires_at);
