-- Runs beside: 0036_webhook_lease_ends.sql
-- A Project may be a good part of a table. The planner goes by the average one, and where Projects are
-- many and small it takes any index that begins with the Project for as good as the key, and goes on
-- doing so while one of them grows: until the table is looked at again, each signup reads the whole
-- Project. Told that each is a hundredth of the table, it looks for the key, and for a list it still
-- looks for the Project.
alter table attribution_policies alter column project_id set (n_distinct = 100);
alter table audit_entries alter column project_id set (n_distinct = 100);
alter table benefit_rules alter column project_id set (n_distinct = 100);
alter table click_counts alter column project_id set (n_distinct = 100);
alter table counters alter column project_id set (n_distinct = 100);
alter table delivery_settings alter column project_id set (n_distinct = 100);
alter table enrollments alter column project_id set (n_distinct = 100);
alter table events alter column project_id set (n_distinct = 100);
alter table feed_events alter column project_id set (n_distinct = 100);
alter table handle_references alter column project_id set (n_distinct = 100);
alter table handles alter column project_id set (n_distinct = 100);
alter table idempotency_keys alter column project_id set (n_distinct = 100);
alter table participants alter column project_id set (n_distinct = 100);
alter table partner_application_counts alter column project_id set (n_distinct = 100);
alter table partner_applications alter column project_id set (n_distinct = 100);
alter table payout_details alter column project_id set (n_distinct = 100);
alter table payout_lines alter column project_id set (n_distinct = 100);
alter table payout_parts alter column project_id set (n_distinct = 100);
alter table program_intervals alter column project_id set (n_distinct = 100);
alter table programs alter column project_id set (n_distinct = 100);
alter table project_heads alter column project_id set (n_distinct = 100);
alter table purchase_adjustments alter column project_id set (n_distinct = 100);
alter table purchases alter column project_id set (n_distinct = 100);
alter table ref_codes alter column project_id set (n_distinct = 100);
alter table ref_links alter column project_id set (n_distinct = 100);
alter table ref_names alter column project_id set (n_distinct = 100);
alter table referrals alter column project_id set (n_distinct = 100);
alter table reward_adjustments alter column project_id set (n_distinct = 100);
alter table reward_deliveries alter column project_id set (n_distinct = 100);
alter table reward_delivery_lines alter column project_id set (n_distinct = 100);
alter table reward_terms alter column project_id set (n_distinct = 100);
alter table rewards alter column project_id set (n_distinct = 100);
alter table signups alter column project_id set (n_distinct = 100);
alter table source_keys alter column project_id set (n_distinct = 100);
alter table sources alter column project_id set (n_distinct = 100);
alter table spent_clicks alter column project_id set (n_distinct = 100);
alter table stripe_connections alter column project_id set (n_distinct = 100);
alter table stripe_erased_customers alter column project_id set (n_distinct = 100);
alter table stripe_events alter column project_id set (n_distinct = 100);
alter table stripe_invoices alter column project_id set (n_distinct = 100);
alter table stripe_parked alter column project_id set (n_distinct = 100);
alter table stripe_payments alter column project_id set (n_distinct = 100);
alter table stripe_reversals alter column project_id set (n_distinct = 100);
alter table subscription_facts alter column project_id set (n_distinct = 100);
alter table tombstones alter column project_id set (n_distinct = 100);
alter table touches alter column project_id set (n_distinct = 100);
alter table units alter column project_id set (n_distinct = 100);
alter table webhook_attempts alter column project_id set (n_distinct = 100);
alter table webhook_deliveries alter column project_id set (n_distinct = 100);
alter table webhook_endpoints alter column project_id set (n_distinct = 100);
alter table widget_secrets alter column project_id set (n_distinct = 100);

-- Only to find what is due: see events_due_in_project. The one before it was as good as any for one
-- person's waiting purchases while nothing waited.
create index if not exists events_by_due_time on events (next_attempt_at, project_id)
  where processing_state = 'pending' and next_attempt_at is not null;
