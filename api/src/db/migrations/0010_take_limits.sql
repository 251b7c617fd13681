-- Takes one from every bucket of a request, or, when one of them is used up, from none: what was refused must not count against its sender
-- a second time, or `Retry-After` would promise too much. The upsert locks the rows in one order, so that requests queue up behind each other
-- instead of deadlocking, and nobody sees an attempt before it is decided.
create function take_limits(buckets text[], windows int[], most int[])
returns table (bucket text, hits int, resets_in int) language plpgsql as $$
#variable_conflict use_column
begin
  insert into limits as l (bucket, ends_at, hits)
  select b.bucket, now() + make_interval(secs => b.seconds), 1 from unnest(buckets, windows) as b (bucket, seconds) order by b.bucket
  on conflict (bucket) do update set
    hits = case when l.ends_at <= now() then 1 else l.hits + 1 end,
    ends_at = case when l.ends_at <= now() then excluded.ends_at else l.ends_at end;

  return query select l.bucket, l.hits, greatest(1, ceil(extract(epoch from l.ends_at - now())))::int
    from limits l where l.bucket = any (buckets);

  if exists (select from limits l join unnest(buckets, most) as b (bucket, most) on l.bucket = b.bucket where l.hits > b.most) then
    update limits l set hits = l.hits - 1 where l.bucket = any (buckets);
  end if;
end $$;
