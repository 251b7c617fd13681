-- What the service itself needs: secrets it made, limits, idempotency, jobs, the development mailbox. Global tables.

-- Secrets made once at the first start and kept sealed: the key of lookup hashes, the signing key of audit checkpoints.
create table service_secrets (
  name       text primary key,
  sealed     text not null,
  created_at timestamptz not null default now()
);

-- Unlogged: after a crash counting starts anew, which costs nobody anything, and every limited request is cheaper.
create unlogged table limits (
  bucket  text primary key,
  ends_at timestamptz not null,
  hits    int not null
);
create index limits_sweep on limits (ends_at);

-- One row per Idempotency-Key, caller, operation and path. `committed_at` is set in the transaction of the change itself, so that a
-- crash before the answer was stored can never lead to the change being made twice.
create table idempotency (
  caller       text not null,
  operation    text not null,
  path_hash    bytea not null,
  key          text not null,
  body_hash    bytea not null,
  started_at   timestamptz not null default now(),
  committed_at timestamptz,
  answer       text,                                    -- sealed: status, headers and body
  primary key (caller, operation, path_hash, key)
);
create index idempotency_sweep on idempotency (started_at);

-- Jobs are written in the transaction that wants them and leased by whoever runs them: a lease that runs out is taken by another process.
create table jobs (
  id           uuid primary key default gen_random_uuid(),
  kind         text not null,
  payload      text not null,                           -- sealed: mails hold tokens
  run_at       timestamptz not null default now(),
  leased_until timestamptz,
  attempts     int not null default 0,
  last_error   text,
  failed_at    timestamptz,
  created_at   timestamptz not null default now()
);
create index jobs_due on jobs (run_at) where failed_at is null;

-- Recurring work, once per interval over all replicas.
create table schedules (
  name   text primary key,
  due_at timestamptz not null
);

-- Development only: mails that no SMTP server took, sealed like everything that holds a link.
create table mailbox (
  id      bigint generated always as identity primary key,
  sealed  text not null,
  sent_at timestamptz not null default clock_timestamp()
);
