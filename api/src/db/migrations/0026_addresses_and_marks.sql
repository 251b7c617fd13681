-- Where a key was last used from, for those who see the key.
alter table api_keys add column last_request_ip text;

-- Marks of other scripts than the European ones, too: Hebrew points, Arabic vowels and the stretched line, Indic signs of no sound.
create or replace function folded(value text) returns text language sql immutable parallel safe as $$
  select lower(translate(replace(replace(replace(replace(regexp_replace(normalize(value, NFKD),
    '[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u093c\u3099\u309a]', '', 'g'),
    'ß', 'ss'), 'ẞ', 'SS'), 'æ', 'ae'), 'œ', 'oe'), 'øØłŁđĐıðÐىة', 'oOlLdDidDيه'))
$$;
-- What was derived with the older one is derived again, where it makes a difference.
update integrations set name = name where folded(name || ' ' || coalesce(connected_account, '')) <> search;
update workspaces set name = name where left(folded(name), 60) <> name_key;
