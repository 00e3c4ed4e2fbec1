-- Runs beside: 0020_reviews.sql
-- The program that made the call over MCP, as it introduced itself; null for every other call.
alter table audit_entries add column agent text;
