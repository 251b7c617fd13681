-- Whose access an integration holds, as a keyed hash. At some ad systems revoking ends everything that person gave us, for every
-- organization: so deleting one integration revokes only where no other one lives on the same access. Looked up by hash alone, over all tenants.
alter table integrations add column grant_hash bytea;
create index integrations_grant on integrations (grant_hash) where grant_hash is not null;
