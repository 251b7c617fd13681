import { sql, type World } from './world.ts'

/**
 * What is limited for a minute is limited for an hour, until this is undone: on a slow machine a minute may pass
 * between any two steps.
 */
export async function makeLimitsLast({ query }: Pick<World, 'query'>): Promise<() => Promise<unknown>> {
  await query(sql`create function make_limit_last() returns trigger language plpgsql as $$ begin
    if new.ends_at < now() + interval '10 minutes' then new.ends_at := now() + interval '1 hour'; end if;
    return new;
  end $$`)
  // Where the bucket is there already, but its time is over, it takes the end from here as well.
  await query(sql`create trigger make_limit_last before insert on limits for each row execute function make_limit_last()`)
  return () => query(sql`drop function make_limit_last cascade`)
}
