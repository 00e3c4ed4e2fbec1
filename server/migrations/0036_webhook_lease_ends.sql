-- Runs beside: 0035_root_key_mark.sql
-- A lease has an end of its own, which no index knows of: taking one then writes the row alone, and the
-- half of each page that is kept free for that lets it stay where it is. Processes of the version before
-- do not look at it, and send what the others are sending once more while both run.
alter table webhook_deliveries add column leased_until timestamptz(3);
alter table webhook_deliveries set (fillfactor = 50);
