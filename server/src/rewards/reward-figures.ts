import { type Figure, figure } from '../figures/tally.ts';
import type { Instant } from '../kit/instant.ts';
import type { RewardRow } from './reward.ts';
import type { FulfillmentStatus } from './states.ts';

/** How a Program's totals sort the statuses. */
const SORTS: Readonly<Record<FulfillmentStatus, 'pending' | 'fulfilled' | 'voided'>> = {
  pending: 'pending',
  in_progress: 'pending',
  failed: 'pending',
  fulfilled: 'fulfilled',
  cancelled: 'voided',
  revocation_pending: 'voided',
  revoked: 'voided',
};

/** Under this subject stand a Program's totals of custom units: `<unit>:<sort>`. */
export function unitTotalsOf(programId: string): string {
  return `${programId}:units`;
}

/** How much of a unit a Program's Rewards have given, and how far it has got. */
export interface UnitTotals {
  readonly unitId: string;
  readonly count: number;
  readonly pending: number;
  readonly fulfilled: number;
  readonly voided: number;
}

/** Reads the figures under `unitTotalsOf`, in their order. */
export function readUnitTotals(figures: readonly Figure[]): UnitTotals[] {
  const totals = new Map<string, UnitTotals>();
  for (const { name, value } of figures) {
    const [unitId = '', part = ''] = name.split(':');
    const known = totals.get(unitId) ?? { unitId, count: 0, pending: 0, fulfilled: 0, voided: 0 };
    totals.set(unitId, { ...known, [part]: Number(value) });
  }
  return [...totals.values()];
}

/**
 * What a Reward counts for as it stands. Whoever changes one adds the difference, and a
 * recount adds up all of them.
 */
export function figuresOf(row: RewardRow): Figure[] {
  const { programId, ruleId, beneficiaryParticipantId: beneficiary } = row;
  const day = row.earnedAt.slice(0, 10);
  const figures = [
    // A cap leaves out what was voided, and nothing else.
    figure(beneficiary, `earned:${ruleId}`, row.void === null ? 1 : 0),
    figure(beneficiary, `${programId}:rewards`),
    figure(programId, 'rewards'),
    figure(programId, `${day}:rewards`),
  ];
  if (row.amountMinor !== null) {
    figures.push(
      figure(beneficiary, `${programId}:net:${row.currency}`, owedOf(row)),
      figure(programId, `${day}:amount:${row.currency}`, row.amountMinor),
    );
  }
  if (row.quantity !== null) {
    const subject = unitTotalsOf(programId);
    figures.push(
      figure(subject, `${row.unitId}:count`),
      figure(subject, `${row.unitId}:${SORTS[row.fulfillmentStatus]}`, row.quantity),
    );
  }
  return figures;
}

function owedOf(row: RewardRow): bigint {
  const isLost = row.void !== null || SORTS[row.fulfillmentStatus] === 'voided';
  return isLost ? 0n : (row.netAmountMinor ?? 0n);
}

/** The Event by which a Reward was earned. */
export interface EarnedBy {
  readonly type: string;
  readonly occurredAt: Instant;
  readonly personId: string;
}

/** What earning counts for once and for all: that a rule has earned for a referral or a person. */
export function earningFiguresOf(row: RewardRow, event: EarnedBy): Figure[] {
  const period = row.referralId ?? row.beneficiaryParticipantId;
  const figures = [figure(period, `period:${row.ruleId}`, 1, event.occurredAt)];
  if (event.type === 'signup') figures.push(figure(event.personId, `once:${row.ruleId}`));
  return figures;
}
