-- Access was given, and a setting, an account or the verification is still missing: since then, until the first success.
-- An item of a request that was connected at that moment or after it is not done yet.
alter table integrations add column unfinished_since timestamptz;
