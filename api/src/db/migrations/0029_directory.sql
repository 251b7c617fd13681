-- Where a secret leads: the hash of a key, or of a token that a person or a client was sent, and the organization that it belongs to. Global
-- table. A request that brings nothing but such a secret finds its organization here, and everything else there. So the tenant tables can
-- be distributed by organization: no index of theirs has to be unique over all organizations.
-- An invitation is found by its id as well, which is here as its 16 bytes.
create table directory (
  hash            bytea primary key,
  organization_id uuid not null references organizations (id) on delete cascade,
  checked_at      timestamptz not null default now()     -- when it was last known to lead somewhere
);
create index directory_sweep on directory (checked_at);

-- A hash is unique over all organizations in the directory, and within one organization here. The older constraints on the hash alone stay:
-- on one PostgreSQL a key is found by them, and the version before finds links by them. `adjoin-admin distribute` drops them.
create unique index api_keys_own_hash on api_keys (organization_id, key_hash);
create unique index invitations_own_token on invitations (organization_id, token_hash);
create unique index connect_links_own_token on connect_links (organization_id, token_hash);
create unique index connect_requests_own_token on connect_requests (organization_id, token_hash);
create unique index connect_items_own_token on connect_items (organization_id, token_hash);
create unique index receipts_own_token on receipts (organization_id, token_hash);
create unique index client_mails_own_token on client_mails (organization_id, token_hash);

-- What is stored is noted here by triggers: in the same transaction, without a round trip, and also for a process of the version before, which
-- does not know of the directory. A trigger on a shard could not write here: `adjoin-admin distribute` drops them, and the service does it itself.
create function note_key_in_directory() returns trigger language plpgsql as $$
begin
  insert into directory (hash, organization_id) values (new.key_hash, new.organization_id) on conflict (hash) do nothing;
  return null;
end $$;
create function note_token_in_directory() returns trigger language plpgsql as $$
begin
  insert into directory (hash, organization_id) values (new.token_hash, new.organization_id) on conflict (hash) do nothing;
  return null;
end $$;
create function note_invitation_in_directory() returns trigger language plpgsql as $$
begin
  insert into directory (hash, organization_id)
    values (new.token_hash, new.organization_id), (uuid_send(new.id), new.organization_id) on conflict (hash) do nothing;
  return null;
end $$;
create trigger api_keys_directory after insert on api_keys for each row execute function note_key_in_directory();
create trigger invitations_directory after insert on invitations for each row execute function note_invitation_in_directory();
create trigger connect_links_directory after insert or update of token_hash on connect_links
  for each row execute function note_token_in_directory();
create trigger connect_requests_directory after insert or update of token_hash on connect_requests
  for each row when (new.token_hash is not null) execute function note_token_in_directory();
create trigger connect_items_directory after insert or update of token_hash on connect_items
  for each row when (new.token_hash is not null) execute function note_token_in_directory();
create trigger receipts_directory after insert or update of token_hash on receipts
  for each row execute function note_token_in_directory();
create trigger client_mails_directory after insert on client_mails for each row execute function note_token_in_directory();

-- After the triggers, which waited for what was under way: nothing that is stored meanwhile is missed.
insert into directory (hash, organization_id)
  select key_hash, organization_id from api_keys
  union select token_hash, organization_id from invitations
  union select uuid_send(id), organization_id from invitations
  union select token_hash, organization_id from connect_links
  union select token_hash, organization_id from connect_requests where token_hash is not null
  union select token_hash, organization_id from connect_items where token_hash is not null
  union select token_hash, organization_id from receipts
  union select token_hash, organization_id from client_mails
  on conflict do nothing;

-- Row by row as well. A trigger for the statement holds only on the table that the statement names: not on a partition, and not on a shard.
create trigger audit_entries_append_only_rows before update or delete on audit_entries
  for each row execute function refuse_change();

-- One at a time for an organization, or for a person, until the end of the transaction. The row that is held is the one that the version
-- before holds. `adjoin-admin distribute` replaces the two: where these tables have a copy on every node, holding a row would need every node.
create function lock_organization(organization uuid) returns void language plpgsql as $$
begin
  perform from organizations where id = organization for no key update;
end $$;
create function lock_person(person uuid) returns void language plpgsql as $$
begin
  perform from users where id = person for no key update;
end $$;
