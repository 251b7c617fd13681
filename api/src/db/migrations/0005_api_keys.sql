-- API keys. Only the SHA-256 of a key is stored; its first 15 characters are kept for display.

create table api_keys (
  organization_id uuid not null references organizations (id) on delete cascade,
  id              uuid not null default gen_random_uuid(),
  level           text not null check (level in ('user', 'organization', 'workspace')),
  role            text check (role in ('viewer', 'member', 'admin')),
  workspace_id    uuid,
  name            text not null,
  prefix          text,                                 -- null: minted before it was stored; shown as the platform's fixed prefix
  key_hash        bytea not null,
  creator_id      uuid not null references users (id),
  created_at      timestamptz not null default now(),
  expires_at      timestamptz,
  disabled_at     timestamptz,
  revoked_at      timestamptz,
  replaced_by     uuid,                                 -- set by the one rotation a key can have
  last_request_at timestamptz,
  primary key (organization_id, id),
  constraint api_keys_hash unique (key_hash),
  foreign key (organization_id, workspace_id) references workspaces (organization_id, id) on delete cascade,
  check ((level = 'user') = (role is null)),
  check ((level = 'workspace') = (workspace_id is not null))
);
create index api_keys_creator on api_keys (organization_id, creator_id);
