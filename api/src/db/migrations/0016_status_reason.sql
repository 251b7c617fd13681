-- Why an integration is as it is, as a word that programs can rely on: beside each sentence for people its reason. Who must act follows from it.
alter table integrations add column status_reason text, add column last_error_reason text;
-- Of a check: why the status is what it is afterwards; `reason` is what the check itself found.
alter table integration_checks add column status_reason text;

-- Those in trouble now get theirs from their newest checks. What an older process still writes has none until the next check.
update integrations i set status_reason = (select c.reason from integration_checks c
  where c.organization_id = i.organization_id and c.integration_id = i.id and c.outcome = 'rejected' order by c.checked_at desc limit 1)
where i.status_detail is not null;
update integrations i set last_error_reason = (select c.reason from integration_checks c
  where c.organization_id = i.organization_id and c.integration_id = i.id and c.outcome = 'unreachable' order by c.checked_at desc limit 1)
where i.last_error is not null;
