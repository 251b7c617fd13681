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
