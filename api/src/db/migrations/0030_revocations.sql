-- Access that is still to be ended at an ad system, of integrations that are gone. The credential is sealed for this row alone. It is removed
-- once the ad system has answered, or 48 hours later: the one exception to a credential being destroyed with its integration.
create table revocations (
  organization_id    uuid not null references organizations (id) on delete cascade,
  id                 uuid not null,                        -- of the integration
  provider           text not null,
  credential         text not null,
  credential_version int not null,                         -- a renewal that was under way stores its result here
  grant_hash         bytea,                                -- whose access it is, as integrations have it
  working            boolean not null,                     -- of several with the same grant, one that worked is the one to revoke
  tries              int not null default 0,
  due_at             timestamptz not null default now(),
  leased_until       timestamptz,
  ends_at            timestamptz not null default now() + interval '48 hours',
  primary key (organization_id, id)
);
-- What is due, over all tenants; and the others with the same grant, whose organization nobody knows.
create index revocations_due on revocations (due_at);
create index revocations_grant on revocations (grant_hash) where grant_hash is not null;
create index revocations_sweep on revocations (ends_at);

-- Whether nobody else was told: where its reader has lost the workspace since, those who look after the integration now are.
alter table notices add column alone boolean not null default false;
