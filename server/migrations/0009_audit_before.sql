-- Runs beside: 0003_fewer_index_entries.sql
-- The previous values of what an entry of the audit log changed; null if they were not recorded.
alter table audit_entries add column before jsonb;
