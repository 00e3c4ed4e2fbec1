-- Runs beside: 0034_adjustments_of_people.sql
-- Tells the root key that this store is used with from any other, which could open none of its secrets.
create table root_key_mark (
  is_only boolean primary key default true check (is_only),
  mark text not null
);
