-- Every use of a session moves `last_used_at`. In no index, and with room on the page, that costs one row and no index entry (HOT).
-- Made first and dropped last: dropping keeps every request waiting until the migration commits.
create index sessions_made on sessions (created_at);
alter table sessions set (fillfactor = 85);
drop index sessions_sweep;
