-- Runs beside: 0037_projects_may_be_large.sql
-- events_by_due_time took its place. By itself, so that no lock is held while another is waited for.
drop index events_due;
