-- Runs beside: none
-- People are found by the beginning of any word of their name, of their e-mail address and of their external id, in
-- upper or lower case. The migration reads all people with a name or an address once.

create table search_keys (
  project_id text not null,
  participant_id text not null,
  -- A name from one of its words on, or an e-mail address: in lower case, without accents. In the order of its
  -- characters, whatever the database's collation.
  key text collate "C" not null,
  -- Only those who may read partners find them by name.
  of_partner boolean not null,
  primary key (project_id, participant_id, key)
);
alter table search_keys alter column project_id set (n_distinct = 100);

-- The same as `search-keys.ts`. Only the lower case of letters outside ASCII depends on the database's locale; the
-- next change of the name writes it as the program does.
with people as (
  select p.project_id, p.id, p.partner_id is not null as of_partner,
    coalesce(t.name, p.name) as name, coalesce(t.email, p.email) as email
  from participants p left join partners t on t.id = p.partner_id and t.erased_at is null
  where p.deleted_at is null
), folded as (
  select project_id, id, of_partner, is_name,
    trim(regexp_replace(translate(lower(regexp_replace(normalize(said, NFD), '[\u0300-\u036f]', '', 'g')), 'ς', 'σ'),
      '[[:space:]\u00a0]+', ' ', 'g')) as text
  from people cross join lateral (values (name, true), (email, false)) as texts (said, is_name)
  where said is not null
)
insert into search_keys (project_id, participant_id, key, of_partner)
select distinct f.project_id, f.id, left(substr(f.text, at), 200), f.of_partner
from folded f cross join lateral generate_series(1, case when f.is_name then length(f.text) else 1 end) as at
where f.text <> '' and (at = 1 or (
  substr(f.text, at, 1) !~ '[ !-/:-@\[-`{-~‘’“”–—]' and substr(f.text, at - 1, 1) ~ '[ !-/:-@\[-`{-~‘’“”–—]'));

create index search_keys_by_beginning on search_keys (project_id, of_partner, key, participant_id);

-- Letters outside ASCII keep their case in it.
create index participants_by_folded_id on participants (project_id, lower(external_id collate "C"))
  where deleted_at is null;
drop index participants_by_beginning;
