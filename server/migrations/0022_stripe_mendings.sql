-- What was charged for an invoice: more than it was for where the customer had owed something. It is
-- by this that refunds can be too many.
alter table stripe_invoices add column charged_minor bigint;
update stripe_invoices set charged_minor = paid_minor;
alter table stripe_invoices alter column charged_minor set not null;
update stripe_parked set told = told || jsonb_build_object('chargedMinor', told -> 'paidMinor')
  where told ->> 'kind' = 'purchase';

-- net_minor is the amount of the purchase that counts: of an invoice that the Project's backend had
-- told of first, that one's.
update stripe_invoices i set net_minor = c.amount_minor
from events e
join purchases p on p.project_id = e.project_id and p.event_id = e.id
join purchases c on c.project_id = p.project_id and c.id = p.duplicate_of
where e.project_id = i.project_id and e.source_namespace_id = i.source_id
  and e.source_event_id = i.id;

-- Every row waits for something.
drop index stripe_parked_waiting;
create index stripe_parked_waiting on stripe_parked (project_id, waits_for);
-- What became of an invoice.
create index stripe_reversals_by_invoice on stripe_reversals (project_id, invoice_id);

-- Projects with something due are found by what is due, not by looking at each Project.
create index reward_deliveries_due_anywhere on reward_deliveries (due_at, project_id)
  where due_at is not null;
