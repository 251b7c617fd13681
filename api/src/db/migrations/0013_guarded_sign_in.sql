-- What guards signing in and mailing against guessing and flooding. Global tables. Older processes go on beside: they ignore what is new.

-- A request that is refused leaves no row: whoever knocks with ever new addresses must not fill the table. Counters are looked at before
-- they are touched; a race that is lost afterwards is undone, and a counter that counts nothing goes. What is answered is as before.
create or replace function take_limits(buckets text[], windows int[], most int[])
returns table (bucket text, hits int, resets_in int) language plpgsql as $$
#variable_conflict use_column
begin
  if not exists (select from limits l join unnest(buckets, most) as b (bucket, most) on l.bucket = b.bucket
      where l.ends_at > now() and l.hits >= b.most) then
    insert into limits as l (bucket, ends_at, hits)
    select b.bucket, now() + make_interval(secs => b.seconds), 1 from unnest(buckets, windows) as b (bucket, seconds) order by b.bucket
    on conflict (bucket) do update set
      hits = case when l.ends_at <= now() then 1 else l.hits + 1 end,
      ends_at = case when l.ends_at <= now() then excluded.ends_at else l.ends_at end;

    if not exists (select from limits l join unnest(buckets, most) as b (bucket, most) on l.bucket = b.bucket where l.hits > b.most) then
      return query select l.bucket, l.hits, greatest(1, ceil(extract(epoch from l.ends_at - now())))::int
        from limits l where l.bucket = any (buckets);
      return;
    end if;
    update limits l set hits = l.hits - 1 where l.bucket = any (buckets);
    delete from limits l where l.bucket = any (buckets) and l.hits = 0;
  end if;

  return query select b.bucket, coalesce(l.hits, 0) + 1, greatest(1, coalesce(ceil(extract(epoch from l.ends_at - now())), b.seconds))::int
    from unnest(buckets, windows) as b (bucket, seconds) left join limits l on l.bucket = b.bucket and l.ends_at > now();
end $$;

-- A code works only with the challenge of the request that asked for it. Null: asked for through an older process; its link works.
alter table sign_in_links add column challenge_hash bytea;

-- Wrong codes of an address within a day. Twenty close its codes, never its links, for 24 hours.
create table sign_in_guesses (
  email        text primary key,
  wrong        int not null default 0,
  began_at     timestamptz not null default now(),
  closed_until timestamptz
);
create index sign_in_guesses_sweep on sign_in_guesses (began_at);
