-- What waits for a person is few among much that does not.

-- The last condition is for lists alone to ask for: without it, this could as well be walked to find
-- what one person's waiting purchases are.
create index events_undecided on events (project_id, processing_state, number)
  where processing_state <> 'processed' and number > 0;

create index payout_batches_to_decide on payout_batches (workspace_id, environment, id)
  where status in ('draft', 'approved');

create index payouts_unanswered on payouts (workspace_id, environment, unanswered_since)
  where status = 'processing' and unanswered_since is not null;

create index partner_applications_to_decide on partner_applications (project_id, created_at)
  where status = 'pending' and email_verified_at is not null;
