-- While its organization is frozen, a webhook is sent nothing but that, however far behind it is. How far it has come with this: its place on
-- the trail stays where it was, and after the thaw it continues there.
alter table webhooks add column frozen_position bigint;

-- Some services deliver to one mailbox under several domains: gmail.com is googlemail.com. The same rule as `canonicalMailbox` of the contract;
-- a test compares the two.
create or replace function canonical_mailbox(email text) returns text language sql immutable parallel safe as $$
  select case when domain = 'gmail.com' then replace(local, '.', '') else local end || '@' || domain
  from (select regexp_replace(split_part(email, '@', 1), '(.)\+.*$', '\1') as local,
    case split_part(email, '@', 2)
      when 'googlemail.com' then 'gmail.com'
      when 'me.com' then 'icloud.com' when 'mac.com' then 'icloud.com'
      when 'protonmail.com' then 'proton.me' when 'protonmail.ch' then 'proton.me' when 'pm.me' then 'proton.me'
      when 'yandex.com' then 'yandex.ru' when 'yandex.by' then 'yandex.ru' when 'yandex.kz' then 'yandex.ru' when 'yandex.ua' then 'yandex.ru'
      when 'yandex.com.tr' then 'yandex.ru' when 'ya.ru' then 'yandex.ru'
      else split_part(email, '@', 2) end as domain) as parts
$$;
-- What is in the index was derived with the older one.
reindex index users_mailbox;
