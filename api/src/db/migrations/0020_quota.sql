-- What an ad system lets the operator's app do in a day is shared by all organizations. Processes take calls from it in batches, which
-- they then hand out without asking; what a process did not need it gives back. Days are those of the ad system.

-- Global: all calls of a day, whosever they are.
create table quota_days (
  provider text not null,
  day      date not null,
  calls    int not null default 0,
  primary key (provider, day)
);
create index quota_days_sweep on quota_days (day);

create table quota_shares (
  organization_id uuid not null references organizations (id) on delete cascade,
  provider        text not null,
  day             date not null,
  calls           int not null default 0,
  primary key (organization_id, provider, day)
);
create index quota_shares_sweep on quota_shares (day);

-- As many of the wanted calls as the share of the organization and what all may use together allow, perhaps none.
-- The day's row is locked first, always: whoever comes second sees what the first one took.
create function take_quota(organization uuid, system text, zone text, wanted int, share int, most int)
returns table (granted int, day date, ends_in int) language plpgsql as $$
#variable_conflict use_column
declare
  today date := (clock_timestamp() at time zone zone)::date;
  used  int;
  own   int;
  got   int;
begin
  insert into quota_days (provider, day) values (system, today) on conflict do nothing;
  insert into quota_shares (organization_id, provider, day) values (organization, system, today) on conflict do nothing;
  select calls into used from quota_days where provider = system and day = today for update;
  select calls into own from quota_shares where organization_id = organization and provider = system and day = today for update;
  got := greatest(0, least(wanted, share - own, most - used));
  if got > 0 then
    update quota_days set calls = used + got where provider = system and day = today;
    update quota_shares set calls = own + got where organization_id = organization and provider = system and day = today;
  end if;
  return query select got, today,
    greatest(1, ceil(extract(epoch from (today + 1)::timestamp at time zone zone - clock_timestamp())))::int;
end $$;

create function give_back_quota(organization uuid, system text, of_day date, unused int) returns void language plpgsql as $$
begin
  update quota_days set calls = greatest(0, calls - unused) where provider = system and day = of_day;
  update quota_shares set calls = greatest(0, calls - unused) where organization_id = organization and provider = system and day = of_day;
end $$;
