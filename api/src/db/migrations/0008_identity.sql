-- Sign-in by identity providers and on devices. Global tables.

-- One account at a provider for each person: a second one that claims the same address never gets in beside the first.
alter table identities add column provider text not null;
create unique index identities_person on identities (user_id, provider);
drop index identities_user;

-- Where the provider does not vouch for the address, the account there waits, sealed, for the very link or code mailed to that address.
alter table sign_in_links add column identity text;

-- States that an identity provider has sent back: each counts once.
create table spent_states (
  id         bytea primary key,
  expires_at timestamptz not null
);
create index spent_states_sweep on spent_states (expires_at);
