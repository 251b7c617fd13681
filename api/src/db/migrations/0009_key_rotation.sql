-- When a key was replaced: what its answers say in `Deprecation` while it lives out its grace window.
alter table api_keys add column replaced_at timestamptz;

-- Live keys are counted against their quota whenever one is minted.
create index api_keys_live on api_keys (organization_id) where revoked_at is null;
