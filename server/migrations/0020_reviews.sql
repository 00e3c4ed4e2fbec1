-- Runs beside: none
-- Reviews of referrals.

-- What was known when it was opened: the sentences about its signals need it.
alter table risk_reviews add column facts json not null;
-- Whether the decision was not carried out on all of the rewards yet.
alter table risk_reviews add column is_unfinished boolean not null default false;
create index risk_reviews_unfinished on risk_reviews (project_id)
  where is_unfinished;
-- An erasure clears the notes about both people.
create index risk_reviews_noted_referrers on risk_reviews (project_id, referrer_participant_id)
  where note is not null;
create index risk_reviews_noted_referees on risk_reviews (project_id, referee_participant_id)
  where note is not null;
alter table risk_reviews add constraint risk_reviews_program
  foreign key (project_id, program_id) references programs (project_id, id);
alter table risk_reviews add constraint risk_reviews_referral
  foreign key (project_id, referral_id) references referrals (project_id, id);
alter table risk_reviews add constraint risk_reviews_referrer
  foreign key (project_id, referrer_participant_id) references participants (project_id, id);
alter table risk_reviews add constraint risk_reviews_referee
  foreign key (project_id, referee_participant_id) references participants (project_id, id);
alter table risk_reviews add constraint risk_reviews_event
  foreign key (project_id, event_id) references events (project_id, id);
alter table risk_reviews add constraint risk_reviews_policy
  foreign key (project_id, policy_version_id) references risk_policies (project_id, id);

-- All rewards of a referral: an opened review holds those from before.
drop index rewards_under_review;
create index rewards_by_referral on rewards (project_id, referral_id)
  where referral_id is not null;
