-- People and how they sign in. Global tables: a person may belong to many organizations, so none of these carries an organization id.

create table users (
  id             uuid primary key default gen_random_uuid(),
  email          text not null unique,                 -- normalized: one spelling per mailbox; proved before the row exists
  name           text not null,
  email_verified boolean not null default true,
  role           text not null default 'user',
  image          text,
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now()
);

-- An account at an identity provider. Keyed by issuer and subject, never by address: addresses move between people.
create table identities (
  issuer     text not null,
  subject    text not null,
  user_id    uuid not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index identities_user on identities (user_id);

-- A session is one random token, in a cookie or as a bearer; only its SHA-256 is stored.
-- It lives while it is used within 7 days and is younger than 30.
create table sessions (
  id           uuid primary key default gen_random_uuid(),
  token_hash   bytea not null unique,
  user_id      uuid not null references users (id) on delete cascade,
  method       text not null,
  ip           text,
  user_agent   text,
  created_at   timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  ended_at     timestamptz
);
create index sessions_user on sessions (user_id, created_at);
create index sessions_sweep on sessions (last_used_at);

-- A mailed link and its six-digit code, each single use. The code is hashed with a key: six digits alone could be guessed from a dump.
create table sign_in_links (
  id            uuid primary key default gen_random_uuid(),
  email         text not null,
  token_hash    bytea not null unique,
  code_hash     bytea not null,
  code_attempts int not null default 0,
  callback_url  text,
  created_at    timestamptz not null default clock_timestamp(),
  expires_at    timestamptz not null,
  used_at       timestamptz
);
create index sign_in_links_email on sign_in_links (email, created_at desc);
create index sign_in_links_sweep on sign_in_links (expires_at);

-- A sign-up waits for the next session of its address. It holds neither slug nor domain.
create table sign_ups (
  email             text primary key,
  name              text not null,
  organization_name text not null,
  organization_slug text not null,
  provider          text not null,
  created_at        timestamptz not null default now(),
  expires_at        timestamptz not null
);

-- Device login (RFC 8628): the device holds the device code, the person types the user code.
create table device_logins (
  id               uuid primary key default gen_random_uuid(),
  device_code_hash bytea not null unique,
  user_code        text not null unique,
  client_name      text not null,
  ip               text,
  user_agent       text,
  status           text not null default 'pending' check (status in ('pending', 'approved', 'denied', 'used')),
  user_id          uuid references users (id) on delete cascade,
  interval_seconds int not null default 5,
  polled_at        timestamptz,
  created_at       timestamptz not null default now(),
  expires_at       timestamptz not null
);
create index device_logins_sweep on device_logins (expires_at);
