-- Whose rewards were changed, so that the story of one person is found without reading all others'.
alter table reward_adjustments add column beneficiary_participant_id text;
update reward_adjustments a set beneficiary_participant_id = r.beneficiary_participant_id
  from rewards r where r.project_id = a.project_id and r.id = a.reward_id;
alter table reward_adjustments alter column beneficiary_participant_id set not null;
create index reward_adjustments_by_beneficiary
  on reward_adjustments (project_id, beneficiary_participant_id, number);
