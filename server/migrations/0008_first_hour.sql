-- Runs beside: 0003_fewer_index_entries.sql
-- An account that was created on the service's own machine may set up its second factor later, there.
alter table users add column created_locally boolean not null default false;
