-- Who joins an organization without being invited, and who does not come back under another spelling.

alter table organizations
  add column auto_join boolean not null default true,   -- people who prove an address of its domain join it
  add column join_mail_at timestamptz;                  -- when the latest mail about such joins goes, or went: one an hour

-- Joins that the admins have not been told of yet.
create table unannounced_joins (
  organization_id uuid not null references organizations (id) on delete cascade,
  user_id         uuid not null references users (id) on delete cascade,
  joined_at       timestamptz not null default now(),
  primary key (organization_id, user_id)
);

-- One mailbox, whatever tag its address is written with. The same rule as `canonicalMailbox` of the contract; a test compares the two.
create function canonical_mailbox(email text) returns text language sql immutable parallel safe as $$
  select case when split_part(email, '@', 2) in ('gmail.com', 'googlemail.com')
      then replace(regexp_replace(split_part(email, '@', 1), '(.)\+.*$', '\1'), '.', '')
      else regexp_replace(split_part(email, '@', 1), '(.)\+.*$', '\1') end
    || '@' || split_part(email, '@', 2)
$$;
create index users_mailbox on users (canonical_mailbox(email));

-- What a person has sent ends with their power to send it.
create index invitations_inviter on invitations (organization_id, inviter_id) where status in ('pending', 'expired');
