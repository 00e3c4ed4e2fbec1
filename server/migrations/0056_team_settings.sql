-- Runs beside: 0038_events_due.sql
-- Whether members with the role operator need a second factor, as owners, admins and finance always do.
alter table workspaces add column operators_need_totp boolean not null default false;
