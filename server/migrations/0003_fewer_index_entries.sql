-- Runs beside: none
-- A signup with two rewards writes four index entries less.

-- Most people have neither a billing id nor a partner. Without entries for them, the planner also cannot take these
-- indexes for a way to find a person by name.
create unique index participants_by_billing_id on participants (project_id, billing_id)
  where billing_id is not null;
create unique index participants_by_partner on participants (project_id, partner_id)
  where partner_id is not null;
alter table participants drop constraint participants_project_id_billing_id_key;
alter table participants drop constraint participants_project_id_partner_id_key;

-- On a store without statistics, the planner took the index on (project_id, kind, kind_number) to be as good for a
-- look-up by name as the one on names, and read all people of the Project.
create unique index participants_by_kind_number on participants (project_id, kind_number, kind);
alter table participants drop constraint participants_project_id_kind_kind_number_key;

-- One index for the rewards of an event, which also keeps a rule from rewarding somebody twice for it.
create unique index rewards_once on rewards (project_id, event_id, rule_id, beneficiary_participant_id);
alter table rewards drop constraint rewards_project_id_rule_id_event_id_beneficiary_participant_key;
drop index rewards_by_event;
