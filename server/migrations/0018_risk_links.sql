-- Runs beside: none
-- What tables of risk refer to, and figures of refunded purchases.

alter table risk_policies
  add constraint risk_policies_program foreign key (project_id, program_id) references programs (project_id, id);
alter table participant_networks
  add constraint participant_networks_participant foreign key (project_id, participant_id)
    references participants (project_id, id);
alter table participant_cards
  add constraint participant_cards_participant foreign key (project_id, participant_id)
    references participants (project_id, id);

-- Purchases of each referrer's referees that were refunded in full, by program.
insert into figures (project_id, subject, part, numbers)
select project_id, referrer_participant_id, program_id,
  jsonb_build_object('refunded', count(*)::text)
from (
  select e.project_id, r.referrer_participant_id, r.program_id
    from events e
    join purchases p on p.project_id = e.project_id and p.event_id = e.id
    left join referrals own on own.project_id = e.project_id and e.referral_id is null
      and own.referee_participant_id = e.participant_id
    join referrals r on r.project_id = e.project_id and r.id = coalesce(e.referral_id, own.id)
    where e.type = 'purchase' and e.processing_state = 'processed' and e.program_id is not null
      and p.amount_minor > 0 and p.amount_minor - p.refunded_minor + p.disputed_minor <= 0
) as refunded
group by project_id, referrer_participant_id, program_id
on conflict (project_id, subject, part) do update set
  numbers = add_numbers(figures.numbers, excluded.numbers);
