-- What agents asked for with each key, counted by hour: which tool, about which client, and how it ended. Tenant table.
create table tool_usage (
  organization_id uuid not null,
  key_id          uuid not null,
  hour            timestamptz not null,
  tool            text not null,
  -- The slug, which never changes and outlives its workspace; empty where a tool was not about one client.
  workspace       text not null,
  outcome         text not null,
  calls           int not null,
  primary key (organization_id, key_id, hour, tool, workspace, outcome),
  foreign key (organization_id, key_id) references api_keys (organization_id, id) on delete cascade
);
create index tool_usage_sweep on tool_usage (hour);
