import type { Tx } from '../../../platform/db/database.ts';
import { FINDINGS_MAX } from '../findings.ts';

/**
 * A column that refers to a row of another table. Null is valid: the columns' own constraints cover
 * it.
 */
export interface LinkedColumn {
  readonly subject: string;
  readonly table: string;
  readonly id: string;
  readonly column: string;
  readonly target: string;
}

function link(subject: string, table: string, column: string, target: string): LinkedColumn {
  return { subject, table, id: 'id', column, target };
}

/**
 * Touches are not included: privacy and retention may delete them. References that a foreign key
 * guarantees are not repeated.
 */
export const LINKED_COLUMNS: readonly LinkedColumn[] = [
  link('event', 'events', 'participant_id', 'participants'),
  link('event', 'events', 'actor_participant_id', 'participants'),
  link('event', 'events', 'source_namespace_id', 'sources'),
  link('event', 'events', 'program_id', 'programs'),
  link('event', 'events', 'referral_id', 'referrals'),
  { ...link('signup', 'signups', 'event_id', 'events'), id: 'participant_id' },
  link('purchase', 'purchases', 'event_id', 'events'),
  link('purchase', 'purchases', 'participant_id', 'participants'),
  link('purchase', 'purchases', 'duplicate_of', 'purchases'),
  link('purchase adjustment', 'purchase_adjustments', 'purchase_id', 'purchases'),
  link('purchase adjustment', 'purchase_adjustments', 'restores_id', 'purchase_adjustments'),
  link('purchase adjustment', 'purchase_adjustments', 'closes_id', 'purchase_adjustments'),
  link('subscription fact', 'subscription_facts', 'participant_id', 'participants'),
  link('referral', 'referrals', 'referrer_participant_id', 'participants'),
  link('referral', 'referrals', 'referee_participant_id', 'participants'),
  link('referral', 'referrals', 'enrollment_id', 'enrollments'),
  link('referral', 'referrals', 'program_id', 'programs'),
  link('referral', 'referrals', 'binding_event_id', 'events'),
  link('referral', 'referrals', 'binding_subscription_fact_id', 'subscription_facts'),
  link('referral', 'referrals', 'policy_version_id', 'attribution_policies'),
  link('reward', 'rewards', 'program_id', 'programs'),
  link('reward', 'rewards', 'rule_id', 'benefit_rules'),
  link('reward', 'rewards', 'terms_version_id', 'reward_terms'),
  link('reward', 'rewards', 'event_id', 'events'),
  link('reward', 'rewards', 'referral_id', 'referrals'),
  link('reward', 'rewards', 'purchase_id', 'purchases'),
  link('reward', 'rewards', 'beneficiary_participant_id', 'participants'),
  link('reward', 'rewards', 'unit_id', 'units'),
  link('reward adjustment', 'reward_adjustments', 'reward_id', 'rewards'),
  link('reward adjustment', 'reward_adjustments', 'purchase_id', 'purchases'),
  link('reward adjustment', 'reward_adjustments', 'beneficiary_participant_id', 'participants'),
  link('reward adjustment', 'reward_adjustments', 'purchase_adjustment_id', 'purchase_adjustments'),
];

/** Rows whose column refers to nothing. */
export function listBroken(
  tx: Tx,
  projectId: string,
  { table, id, column, target }: LinkedColumn,
): Promise<{ id: string; named: string }[]> {
  return tx.query(
    `select t.${id} as id, t.${column} as named from ${table} t
     where t.project_id = $1 and t.${column} is not null and not exists
       (select 1 from ${target} x where x.project_id = $1 and x.id = t.${column})
     order by 1 limit $2`,
    [projectId, FINDINGS_MAX],
  );
}
