-- Every use of a session moves `last_used_at`. In no index, and with room on the page, that costs one row and no index entry (HOT).
drop index sessions_sweep;
create index sessions_sweep on sessions (created_at);
alter table sessions set (fillfactor = 85);
