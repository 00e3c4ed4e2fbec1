import type { Tx } from '../../../platform/db/database.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { pagesOf } from './page-store.ts';

/** A list that is numbered under the project's head. */
export interface NumberedList {
  /** The name of one row. */
  readonly subject: string;
  /** The head's name for it; null for the feed, whose positions are stored separately. */
  readonly name: string | null;
  readonly table: string;
  readonly number: string;
  /** The column with the time of writing. */
  readonly at: string;
  readonly where?: string;
}

export const NUMBERED_LISTS: readonly NumberedList[] = [
  {
    subject: 'feed event',
    name: null,
    table: 'feed_events',
    number: 'position',
    at: 'occurred_at',
  },
  {
    subject: 'program',
    name: 'programs',
    table: 'programs',
    number: 'number',
    at: 'created_at',
  },
  {
    subject: 'participant',
    name: 'participants',
    table: 'participants',
    number: 'number',
    at: 'created_at',
  },
  ...(['individual', 'group'] as const).map((kind) => ({
    subject: kind,
    name: `participants_${kind}`,
    table: 'participants',
    number: 'kind_number',
    at: 'created_at',
    where: `and kind = '${kind}'`,
  })),
  { subject: 'event', name: 'events', table: 'events', number: 'number', at: 'received_at' },
  { subject: 'reward', name: 'rewards', table: 'rewards', number: 'number', at: 'earned_at' },
  {
    subject: 'review',
    name: 'riskReviews',
    table: 'risk_reviews',
    number: 'number',
    at: 'opened_at',
  },
  {
    subject: 'purchase adjustment',
    name: 'purchaseAdjustments',
    table: 'purchase_adjustments',
    number: 'number',
    at: 'received_at',
  },
  {
    subject: 'reward adjustment',
    name: 'rewardAdjustments',
    table: 'reward_adjustments',
    number: 'number',
    at: 'created_at',
  },
];

export interface NumberedRow {
  readonly id: string;
  readonly number: bigint;
  readonly at: Instant;
}

export function listNumbered(
  tx: Tx,
  projectId: string,
  { table, number, at, where = '' }: NumberedList,
): AsyncGenerator<NumberedRow[]> {
  const list = pagesOf<NumberedRow>(
    `verify_${table}_${number}_numbers`,
    `select id, ${number} as number, ${at} as at from ${table}
     where project_id = $1 ${where} order by ${number}`,
  );
  return list(tx, projectId);
}
