-- Runs beside: 0038_events_due.sql
-- Takes long: reads all rewards once, and changes those that were refunded, disputed or voided.
-- Only Rewards that stand count for caps, for "once" and for earning periods: those that were not
-- voided, and of which refunds left something. An open dispute has decided nothing yet.

-- The first Rewards that stand of a rule, for a referral or in loyalty a person.
create index if not exists rewards_standing
  on rewards (project_id, rule_id, coalesce(referral_id, beneficiary_participant_id), number)
  where void is null and (net_amount_minor is null or net_amount_minor > 0 or is_disputed);

-- An open dispute holds money that nothing else took; until now it cancelled what was not granted.
with held as (
  update rewards r
  set is_disputed = true,
    fulfillment_status = case when r.fulfillment_status = 'cancelled' and r.void is null
      then 'pending' else r.fulfillment_status end,
    delivery_status = case when r.fulfillment_status = 'cancelled' and r.void is null
      then 'on_hold' else r.delivery_status end,
    delivery_reason = case when r.fulfillment_status = 'cancelled' and r.void is null
      then 'dispute_open' else r.delivery_reason end
  from purchases p, reward_terms t
  where p.project_id = r.project_id and p.id = r.purchase_id and p.disputed_minor > 0
    and t.project_id = r.project_id and t.id = r.terms_version_id
    and r.net_amount_minor = 0 and not r.is_disputed
    and case t.refund_policy
      when 'full' then p.refunded_minor = p.disputed_minor
      when 'proportional' then case t.rounding_policy
        when 'up' then r.amount_minor::numeric * (p.amount_minor - p.refunded_minor + p.disputed_minor) > 0
        when 'down' then r.amount_minor::numeric * (p.amount_minor - p.refunded_minor + p.disputed_minor)
          >= p.amount_minor
        when 'half_up' then 2 * r.amount_minor::numeric
          * (p.amount_minor - p.refunded_minor + p.disputed_minor) >= p.amount_minor
        else 2 * r.amount_minor::numeric * (p.amount_minor - p.refunded_minor + p.disputed_minor)
          > p.amount_minor end
      else false end
  returning r.project_id, r.program_id, r.earned_at, r.fulfillment_status)
update counters c set value = c.value - back.how_many
from (select project_id, program_id,
    to_char(earned_at at time zone 'UTC', 'YYYY-MM-DD') || ':voided' as name, count(*) as how_many
  from held where fulfillment_status = 'pending' group by 1, 2, 3) as back
where c.project_id = back.project_id and c.subject = back.program_id and c.name = back.name;

update counters c set value = c.value - gone.how_many
from (select project_id, beneficiary_participant_id as subject, 'earned:' || rule_id as name,
    count(*) as how_many
  from rewards where void is null and net_amount_minor = 0 and not is_disputed
  group by 1, 2, 3) as gone
where c.project_id = gone.project_id and c.subject = gone.subject and c.name = gone.name;

update counters c set value = c.value - gone.how_many
from (select project_id, coalesce(referral_id, beneficiary_participant_id) as subject,
    'period:' || rule_id as name, count(*) as how_many
  from rewards where void is not null or (net_amount_minor = 0 and not is_disputed)
  group by 1, 2, 3) as gone
where c.project_id = gone.project_id and c.subject = gone.subject and c.name = gone.name;

update counters c set value = c.value - gone.how_many
from (select r.project_id, coalesce(e.actor_participant_id, e.participant_id) as subject,
    'once:' || r.rule_id as name, count(*) as how_many
  from rewards r join events e on e.project_id = r.project_id and e.id = r.event_id
  where e.type = 'signup' and r.void is not null
  group by 1, 2, 3) as gone
where c.project_id = gone.project_id and c.subject = gone.subject and c.name = gone.name;

-- Voids that the system made for a refund are lifted by its restoration. Operators' voids are in the
-- audit log.
update rewards r set void = (r.void::jsonb || '{"isByRefund": true}')::json
where r.void ->> 'reasonCode' = 'refund' and r.benefit_kind in ('discount', 'custom')
  and exists (select 1 from purchase_adjustments a
    where a.project_id = r.project_id and a.purchase_id = r.purchase_id
      and a.received_at = (r.void ->> 'voidedAt')::timestamptz)
  and not exists (select 1 from audit_entries l
    where l.project_id = r.project_id and l.target_id = r.id and l.action = 'reward.void');
