-- Organizations with the same admin share one part of an ad system's day: whoever makes a second one gets no second part.

-- Global: what the organizations have used that a person was an admin of. It stays when the organization goes.
create table quota_people (
  user_id  uuid not null,
  provider text not null,
  day      date not null,
  calls    int not null default 0,
  primary key (user_id, provider, day)
);
create index quota_people_sweep on quota_people (day);

-- As before; and no more than what the admin who has used most may still use.
create or replace function take_quota(organization uuid, system text, zone text, wanted int, share int, most int)
returns table (granted int, day date, ends_in int) language plpgsql as $$
#variable_conflict use_column
declare
  today  date := (clock_timestamp() at time zone zone)::date;
  admins uuid[] := array(select user_id from members where organization_id = organization and role = 'admin');
  used   int;
  own    int;
  theirs int;
  got    int;
begin
  insert into quota_days (provider, day) values (system, today) on conflict do nothing;
  insert into quota_shares (organization_id, provider, day) values (organization, system, today) on conflict do nothing;
  select calls into used from quota_days where provider = system and day = today for update;
  select calls into own from quota_shares where organization_id = organization and provider = system and day = today for update;
  insert into quota_people (user_id, provider, day) select unnest(admins), system, today on conflict do nothing;
  select coalesce(max(calls), 0) into theirs from quota_people where user_id = any (admins) and provider = system and day = today;
  got := greatest(0, least(wanted, share - own, share - theirs, most - used));
  if got > 0 then
    update quota_days set calls = used + got where provider = system and day = today;
    update quota_shares set calls = own + got where organization_id = organization and provider = system and day = today;
    update quota_people set calls = calls + got where user_id = any (admins) and provider = system and day = today;
  end if;
  return query select got, today,
    greatest(1, ceil(extract(epoch from (today + 1)::timestamp at time zone zone - clock_timestamp())))::int;
end $$;

create or replace function give_back_quota(organization uuid, system text, of_day date, unused int) returns void language plpgsql as $$
begin
  update quota_days set calls = greatest(0, calls - unused) where provider = system and day = of_day;
  update quota_shares set calls = greatest(0, calls - unused) where organization_id = organization and provider = system and day = of_day;
  update quota_people set calls = greatest(0, calls - unused) where provider = system and day = of_day
    and user_id = any (array(select user_id from members where organization_id = organization and role = 'admin'));
end $$;
