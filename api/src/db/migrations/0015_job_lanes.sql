-- Jobs run in lanes, each with places of its own, and within a lane organizations take turns. A process of before knows nothing of it: it
-- takes jobs as they come due, and what it writes goes to the lane of ordinary mails, in the turn it came.
alter table jobs
  add column lane    text not null default 'mail',
  add column share   text,                                  -- whose turn it takes: an organization's id
  add column turn_at timestamptz not null default now();    -- the more of a share are waiting, the later its next one's turn

create index jobs_turn on jobs (lane, turn_at) where failed_at is null;
create index jobs_share on jobs (lane, share) where failed_at is null and share is not null;
