-- Runs beside: none
-- Mails have the time of their Project's clock and what a provider reported about them later; people whose cash is due
-- are asked once for payout details.

-- When it was caused, by the Project's clock; null for mails of earlier versions.
alter table mails add column project_time timestamptz(3);
-- A keyed hash of the address that it was sent to, so that a later bounce stops this address and no other.
alter table mails add column address_hash text;
-- {"kind", "at", "diagnostic"} as reported after it was sent; null if nothing was.
alter table mails add column bounce jsonb;

-- A late report about an earlier address does not take the place of the current one.
alter table mail_bounces drop constraint mail_bounces_pkey,
  add primary key (project_id, recipient_id, address_hash);

-- {kind: when it was switched on, by the Project's clock}. What happened before is not mailed.
alter table mail_programs add column switched_on jsonb not null default '{}';

-- The last participant whose payout details were checked; the next check continues after it.
alter table mail_settings add column details_after text;

-- Who was asked for payout details because a Reward was due: once for each Program, until there are other details.
create table mail_detail_requests (
  project_id text not null,
  recipient_id text not null,
  program_id text not null,
  -- The unusable payout details that the recipient had then; null for none.
  details_id text,
  -- By the Project's clock.
  requested_at timestamptz(3) not null,
  primary key (project_id, recipient_id, program_id)
);
alter table mail_detail_requests alter column project_id set (n_distinct = 100);

-- Partners who were admitted lately.
create index if not exists partner_applications_approved on partner_applications (project_id, decided_at)
  where status = 'approved';
