-- The processes of the service that run on this database, and the keys of their rings by id: who rotates keys must know who lacks one.
-- Global table. A process that died is no longer counted after a minute. Unlogged: after a crash of the database all say again that they run.
create unlogged table processes (
  id         uuid primary key,
  host       text not null,
  pid        int not null,
  roles      text not null,
  version    text not null,
  key_ids    text[] not null,                        -- the first one seals
  started_at timestamptz not null default now(),
  seen_at    timestamptz not null default now()
);
