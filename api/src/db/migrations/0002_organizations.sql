-- Tenants. Every tenant table carries its organization's id, leading in its keys, so that a tenant can be moved whole.

create table organizations (
  id         uuid primary key default gen_random_uuid(),
  slug       text not null,
  name       text not null,
  domain     text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint organizations_slug unique (slug),
  constraint organizations_domain unique (domain)
);

create table members (
  organization_id uuid not null references organizations (id) on delete cascade,
  user_id         uuid not null references users (id) on delete cascade,
  id              uuid not null default gen_random_uuid(),
  role            text not null check (role in ('guest', 'viewer', 'member', 'admin')),
  created_at      timestamptz not null default now(),
  primary key (organization_id, user_id)
);
create index members_user on members (user_id);

-- Whoever was removed, or left, is not provisioned by domain again: only an invitation brings them back.
create table member_removals (
  organization_id uuid not null references organizations (id) on delete cascade,
  user_id         uuid not null references users (id) on delete cascade,
  removed_at      timestamptz not null default now(),
  primary key (organization_id, user_id)
);

create table workspaces (
  organization_id uuid not null references organizations (id) on delete cascade,
  id              uuid not null default gen_random_uuid(),
  slug            text not null,
  name            text not null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  primary key (organization_id, id),
  constraint workspaces_slug unique (organization_id, slug)
);

create table workspace_members (
  organization_id uuid not null,
  workspace_id    uuid not null,
  user_id         uuid not null,
  role            text not null check (role in ('viewer', 'member', 'admin')),
  created_at      timestamptz not null default now(),
  primary key (organization_id, workspace_id, user_id),
  foreign key (organization_id, workspace_id) references workspaces (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references members (organization_id, user_id) on delete cascade
);
create index workspace_members_user on workspace_members (organization_id, user_id);

-- The same link can be mailed again, so its token is kept sealed, beside a keyed hash for lookup.
-- `expired` is computed from expires_at; it is stored only when a newer invitation takes the place of a dead one.
create table invitations (
  organization_id uuid not null references organizations (id) on delete cascade,
  id              uuid not null default gen_random_uuid(),
  workspace_id    uuid,
  email           text not null,
  role            text check (role in ('viewer', 'member', 'admin')),
  workspace_role  text check (workspace_role in ('viewer', 'member', 'admin')),
  status          text not null default 'pending' check (status in ('pending', 'accepted', 'declined', 'canceled', 'expired')),
  token_hash      bytea not null unique,
  token_sealed    text,
  inviter_id      uuid not null references users (id),
  created_at      timestamptz not null default clock_timestamp(),
  expires_at      timestamptz not null,
  closed_at       timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, workspace_id) references workspaces (organization_id, id) on delete cascade,
  check ((workspace_id is null) = (role is not null) and (workspace_id is null) = (workspace_role is null))
);
-- One pending invitation per address and place, also when twenty requests race.
create unique index invitations_pending on invitations
  (organization_id, coalesce(workspace_id, '00000000-0000-0000-0000-000000000000'), email) where status = 'pending';
create index invitations_email on invitations (email) where status = 'pending';
create unique index invitations_id on invitations (id);
