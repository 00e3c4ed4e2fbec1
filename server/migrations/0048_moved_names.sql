-- Runs beside: 0038_events_due.sql
-- A code or slug of a Program that is over may move to another Program of its owner. What it was stays, so
-- that touches and counts keep their Program; `moved_at` says until when. It has no position any more.
-- The previous version ignores `moved_at`: while both run, an erasure by it leaves what was moved.
alter table ref_codes add column if not exists moved_at timestamptz(3);
alter table ref_codes alter column position drop not null;
alter table ref_codes drop constraint ref_codes_position_check;
alter table ref_codes add constraint ref_codes_position_check
  check ((position is null) <> (moved_at is null) and position >= 1) not valid;
alter table ref_links add column if not exists moved_at timestamptz(3);
alter table ref_links alter column position drop not null;
alter table ref_links drop constraint ref_links_position_check;
alter table ref_links add constraint ref_links_position_check
  check ((position is null) <> (moved_at is null) and position >= 1) not valid;
-- What a name stood for when a late fact happened.
create index if not exists ref_codes_moved on ref_codes (project_id, code) where moved_at is not null;
create index if not exists ref_links_moved on ref_links (project_id, slug) where moved_at is not null;
