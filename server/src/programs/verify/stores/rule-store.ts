import { SERVICE_METHODS } from '../../../domain/rewards/decide/states.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type Difference, FINDINGS_MAX } from '../findings.ts';

/** For an SQL `in`. */
export const BY_SERVICE = `('${SERVICE_METHODS.join("', '")}')`;

/**
 * A rule that compares counts or rows, which the database does best. `broken` selects the
 * violations: id, stored and expected, as text; `$1` is the project.
 */
export interface StoredRule {
  readonly subject: string;
  readonly field: string;
  readonly broken: string;
}

const COUNTED_PROGRAM = (field: string, counted: string): StoredRule => ({
  subject: 'program',
  field,
  broken: `select p.id, p.${field}::text as stored, counted.n::text as expected
    from programs p cross join lateral (${counted}) as counted (n)
    where p.project_id = $1 and p.${field} <> counted.n`,
});

const FLAG = (field: string, party: string): StoredRule => ({
  subject: 'participant',
  field,
  broken: `select p.id, p.${field}::text as stored, (r.party is not null)::text as expected
    from participants p left join
      (select distinct ${party} as party from referrals where project_id = $1) r on r.party = p.id
    where p.project_id = $1 and p.${field} <> (r.party is not null)`,
});

/** Versions and numbers that count from 1 within their owner. */
const GAPLESS = (subject: string, table: string, owner: string, column: string): StoredRule => ({
  subject,
  field: `${column} of ${table}`,
  broken: `select ${owner} as id, min(${column}) || ' to ' || max(${column}) as stored,
      '1 to ' || count(*) as expected
    from ${table} where project_id = $1
    group by ${owner} having max(${column}) <> count(*) or min(${column}) <> 1`,
});

/** The feed has as many events as there are facts. */
const FEED = (field: string, announced: string, facts: string): StoredRule => ({
  subject: 'feed',
  field,
  broken: `select $1::text as id, announced.n::text as stored, facts.n::text as expected
    from (select ${announced}) announced
    cross join (select count(*) as n from ${facts}) facts where announced.n <> facts.n`,
});

/** One event per fact. */
export const ONE_EVENT_EACH = (type: string, facts: string): StoredRule =>
  FEED(type, `count(*) as n from feed_events where project_id = $1 and type = '${type}'`, facts);

const FACTS_WITH_KEYS = `select source_namespace_id, source_event_id, facts_hash from events
    where project_id = $1 and source_event_id is not null
  union all select source_namespace_id, source_event_id, facts_hash from purchase_adjustments
    where project_id = $1
  union all select source_namespace_id, source_event_id, facts_hash from early_adjustments
    where project_id = $1
  union all select source_namespace_id, source_event_id, facts_hash from subscription_facts
    where project_id = $1`;

/** The measure of the milestone of a reward `r`, and how much of it is disputed or under review. */
const MEASURE_OF_MILESTONE = `left join figures f on f.project_id = $1
        and f.subject = r.beneficiary_participant_id and f.part = r.program_id
      cross join lateral (select case when r.milestone = 'referrals'
        or r.beneficiary_role = 'referrer' then '' else 'own:' end as side) as s
      cross join lateral (select
        case when r.milestone = 'referrals' then coalesce(f.referred, 0)
            else coalesce((f.numbers ->> (side || r.milestone))::numeric, 0) end
          - coalesce((f.numbers ->> ('rejected:' || side || r.milestone))::numeric, 0)
          + case when r.beneficiary_role = 'referrer'
            then coalesce((f.numbers ->> ('carried:' || r.milestone))::numeric, 0) else 0 end as value,
        coalesce((f.numbers ->> (side || 'atStake:' || r.milestone))::numeric, 0)
          - coalesce((f.numbers ->> ('rejected:' || side || 'atStake:' || r.milestone))::numeric, 0)
          as disputed,
        coalesce((f.numbers ->> ('reviewed:' || side || r.milestone))::numeric, 0) as reviewed,
        coalesce((f.numbers ->> ('reviewed:' || side || 'atStake:' || r.milestone))::numeric, 0)
          as disputed_and_reviewed) as m`;

/** Whether a decision about a referral of its beneficiary was not carried out yet. */
const IS_UNFINISHED = `exists (select 1 from risk_reviews v
        where v.project_id = $1 and v.is_unfinished and v.program_id = r.program_id
          and r.beneficiary_participant_id in (v.referrer_participant_id, v.referee_participant_id))`;

export const STORED_RULES: readonly StoredRule[] = [
  {
    subject: 'referral',
    field: 'first_purchase_at',
    broken: `select r.id, coalesce(r.first_purchase_at::text, 'none') as stored,
        coalesce(bought.first_at::text, 'none') as expected
      from referrals r left join (
        select coalesce(e.referral_id, own.id) as referral_id, min(e.received_at) as first_at
        from events e left join referrals own
          on own.project_id = $1 and own.referee_participant_id = e.participant_id
        where e.project_id = $1 and e.type = 'purchase' and e.processing_state = 'processed'
          and e.program_id is not null group by 1) as bought on bought.referral_id = r.id
      where r.project_id = $1 and r.first_purchase_at is distinct from bought.first_at`,
  },
  {
    subject: 'referral',
    field: 'link_id',
    broken: `select r.id, coalesce(r.link_id, 'none') as stored,
        coalesce(t.link_id, 'none') as expected
      from referrals r join touches t on t.project_id = $1 and t.id = r.touch_id
      where r.project_id = $1 and r.link_id is distinct from t.link_id`,
  },
  COUNTED_PROGRAM(
    'enrollment_count',
    `select count(*) from enrollments e
     where e.project_id = $1 and e.program_id = p.id and e.ends_at is null`,
  ),
  {
    subject: 'program',
    field: 'unproven applications',
    broken: `select p.id, coalesce(c.unproven, 0)::text as stored, counted.n::text as expected
      from programs p
      left join partner_application_counts c on c.project_id = $1 and c.program_id = p.id
      cross join lateral (select count(*) from partner_applications a
        where a.project_id = $1 and a.program_id = p.id and a.status = 'pending'
          and a.email_verified_at is null) as counted (n)
      where p.project_id = $1 and coalesce(c.unproven, 0) <> counted.n`,
  },
  {
    subject: 'program',
    field: 'open status interval',
    broken: `select p.id, coalesce(i.status, 'nothing') as stored, p.status as expected
      from programs p left join program_intervals i
        on i.project_id = $1 and i.program_id = p.id and i.ends_at is null
      where p.project_id = $1 and i.status is distinct from p.status`,
  },
  {
    subject: 'program',
    field: 'delivery settings',
    broken: `select p.id, 'nothing' as stored, 'one row' as expected from programs p
      where p.project_id = $1 and not exists (select 1 from delivery_settings d
        where d.project_id = $1 and d.program_id = p.id)`,
  },
  GAPLESS('program', 'benefit_rules', 'program_id', 'number'),
  GAPLESS('rule', 'reward_terms', 'rule_id', 'version'),
  GAPLESS('program', 'attribution_policies', 'program_id', 'version'),
  GAPLESS('program', 'risk_policies', 'program_id', 'version'),
  FLAG('is_referrer', 'referrer_participant_id'),
  FLAG('is_referee', 'referee_participant_id'),
  {
    subject: 'participant',
    field: 'referrals as referee',
    broken: `select referee_participant_id as id, count(*)::text as stored, '1' as expected
      from referrals where project_id = $1 group by referee_participant_id having count(*) > 1`,
  },
  {
    subject: 'referral',
    field: 'referee',
    broken: `select r.id, r.referee_participant_id as stored,
        coalesce(e.participant_id, f.participant_id) as expected
      from referrals r
      left join events e on e.project_id = $1 and e.id = r.binding_event_id
      left join subscription_facts f
        on f.project_id = $1 and f.id = r.binding_subscription_fact_id
      where r.project_id = $1
        and r.referee_participant_id <> coalesce(e.participant_id, f.participant_id)`,
  },
  {
    subject: 'referral',
    field: 'enrollment',
    broken: `select r.id, n.participant_id || ' in ' || n.program_id as stored,
        r.referrer_participant_id || ' in ' || r.program_id as expected
      from referrals r join enrollments n on n.project_id = $1 and n.id = r.enrollment_id
      where r.project_id = $1 and
        (n.participant_id, n.program_id) <> (r.referrer_participant_id, r.program_id)`,
  },
  {
    subject: 'referral',
    field: 'policy’s program',
    broken: `select r.id, p.program_id as stored, r.program_id as expected
      from referrals r
      join attribution_policies p on p.project_id = $1 and p.id = r.policy_version_id
      where r.project_id = $1 and p.program_id <> r.program_id`,
  },
  {
    subject: 'referral',
    field: 'referrer',
    broken: `select r.id, r.referrer_participant_id as stored, 'somebody else' as expected
      from referrals r
      where r.project_id = $1 and r.referrer_participant_id = r.referee_participant_id`,
  },
  {
    subject: 'signup',
    field: 'event',
    broken: `select s.participant_id as id, e.type || ' of ' || e.participant_id as stored,
        'signup of ' || s.participant_id as expected
      from signups s join events e on e.project_id = $1 and e.id = s.event_id
      where s.project_id = $1 and (e.type <> 'signup' or e.participant_id <> s.participant_id)`,
  },
  {
    subject: 'source key',
    field: 'facts hash',
    broken: `select coalesce(f.source_namespace_id, k.source_namespace_id) || ' '
          || coalesce(f.source_event_id, k.source_event_id) as id,
        coalesce(k.facts_hash, 'no key') as stored, coalesce(f.facts_hash, 'no fact') as expected
      from (${FACTS_WITH_KEYS}) f
      full join (select * from source_keys where project_id = $1) k
        on k.source_namespace_id = f.source_namespace_id
          and k.source_event_id = f.source_event_id
      where k.facts_hash is distinct from f.facts_hash`,
  },
  {
    subject: 'early adjustment',
    field: 'answer',
    broken: `select a.id, k.answer->>'purchaseAdjustmentId' as stored, a.id as expected
      from early_adjustments a join source_keys k on k.project_id = $1
        and k.source_namespace_id = a.source_namespace_id
        and k.source_event_id = a.source_event_id
      where a.project_id = $1 and k.answer->>'purchaseAdjustmentId' is distinct from a.id`,
  },
  {
    subject: 'early adjustment',
    field: 'purchase',
    broken: `select a.id, p.id as stored, 'none yet' as expected
      from early_adjustments a
      join source_keys k on k.project_id = $1
        and k.source_namespace_id = a.purchase_namespace_id
        and k.source_event_id = a.purchase_event_id
      join purchases p on p.project_id = $1 and p.event_id = k.answer->>'eventId'
      where a.project_id = $1`,
  },
  {
    subject: 'early adjustment',
    field: 'expiresAt',
    broken: `select a.id, a.expires_at::text as stored,
        (a.kept_at + interval '24 hours')::text as expected
      from early_adjustments a
      where a.project_id = $1 and a.expires_at <> a.kept_at + interval '24 hours'`,
  },
  ONE_EVENT_EACH('participant.created', 'participants where project_id = $1'),
  ONE_EVENT_EACH(
    'event.recorded',
    `events where project_id = $1 and processing_state = 'processed'`,
  ),
  ONE_EVENT_EACH('referral.created', 'referrals where project_id = $1'),
  // A restoration repeats the event of a reward that was not granted yet.
  FEED(
    'reward.earned',
    `count(distinct data #>> '{reward,id}') as n from feed_events
        where project_id = $1 and type = 'reward.earned'`,
    `rewards where project_id = $1`,
  ),
  // events of payouts are repeated after a return, and checked elsewhere. What the
  // service delivers may be given again.
  FEED(
    'reward.fulfilled',
    `count(*) as n from feed_events f where project_id = $1
        and type = 'reward.fulfilled' and data #>> '{reward,delivery,method}' <> 'payout'
        and (data #>> '{reward,delivery,method}' not in ${BY_SERVICE} or exists (
          select 1 from rewards r where r.project_id = $1 and r.id = f.data #>> '{reward,id}'
            and r.fulfillment ->> 'id' = f.data #>> '{reward,fulfillment,id}'))`,
    `rewards where project_id = $1
        and method <> 'payout' and fulfillment is not null`,
  ),
  ONE_EVENT_EACH('reward.revoked', 'rewards where project_id = $1 and revocation is not null'),
  {
    subject: 'reward',
    field: 'milestone_at',
    broken: `select r.id, r.milestone_at::text as stored, r.arithmetic #>> '{milestone,at}' as expected
      from rewards r where r.project_id = $1
        and r.milestone_at::text is distinct from r.arithmetic #>> '{milestone,at}'`,
  },
  // What is still due for a milestone is reached. A decision is carried out in slices.
  {
    subject: 'reward',
    field: 'milestone',
    broken: `select r.id, r.milestone_at::text as stored, 'at most ' || m.value as expected
      from rewards r
      ${MEASURE_OF_MILESTONE}
      where r.project_id = $1 and r.milestone is not null and r.void is null
        and r.fulfillment_status in ('pending', 'in_progress', 'failed')
        and r.milestone_at > m.value and not (r.is_under_review and ${IS_UNFINISHED})`,
  },
  // What is reached only with disputes and reviews is held. What does not need them any more is released with the next fact.
  {
    subject: 'reward',
    field: 'hold of a milestone',
    broken: `select r.id, (r.is_disputed or r.is_under_review)::text as stored,
        (m.value - m.disputed - m.reviewed + m.disputed_and_reviewed < r.milestone_at)::text as expected
      from rewards r
      ${MEASURE_OF_MILESTONE}
      where r.project_id = $1 and r.milestone is not null and not ${IS_UNFINISHED}
        and (r.void is null and m.value >= r.milestone_at
            and m.value - m.disputed - m.reviewed + m.disputed_and_reviewed < r.milestone_at
            and not (r.is_disputed or r.is_under_review)
          or r.is_under_review and m.reviewed = 0)`,
  },
  // A void that was caused by a refund, or by a milestone that was lost, may have been lifted.
  FEED(
    'reward.voided',
    `count(*) as n from feed_events f where project_id = $1
        and type = 'reward.voided'
        and (coalesce(data #>> '{reward,void,reasonCode}', '') not in ('refund', 'milestone_lost')
          or exists (
          select 1 from rewards r where r.project_id = $1 and r.id = f.data #>> '{reward,id}'
            and r.void ->> 'id' = f.data #>> '{reward,void,id}'))`,
    `rewards where project_id = $1
        and void is not null`,
  ),
];

export async function listBreaches(
  tx: Tx,
  projectId: string,
  { subject, field, broken }: StoredRule,
): Promise<Difference[]> {
  const rows = await tx.query<{ id: string; stored: string; expected: string }>(
    `select b.id, b.stored, b.expected from (${broken}) b order by b.id limit $2`,
    [projectId, FINDINGS_MAX],
  );
  return rows.map((row) => ({ subject, field, ...row }));
}
