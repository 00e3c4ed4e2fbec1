import { type Figure, figure } from '../../../platform/figures/tally.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { countsAsGiven, type RewardRow } from '../reward.ts';
import type { FulfillmentStatus } from './states.ts';

/** How a Program's totals group the statuses. */
const SORTS: Readonly<Record<FulfillmentStatus, 'pending' | 'fulfilled' | 'voided'>> = {
  pending: 'pending',
  in_progress: 'pending',
  failed: 'pending',
  fulfilled: 'fulfilled',
  cancelled: 'voided',
  revocation_pending: 'voided',
  revoked: 'voided',
};

/** The subject of a Program's totals of custom units; their names are `<unit>:<sort>`. */
export function unitTotalsOf(programId: string): string {
  return `${programId}:units`;
}

/** How much of a unit a Program's Rewards have given, by progress. */
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

/** The fields of a Reward that its figures depend on. */
export type CountedReward = Pick<
  RewardRow,
  | 'programId'
  | 'ruleId'
  | 'referralId'
  | 'signupPersonId'
  | 'beneficiaryParticipantId'
  | 'earnedAt'
  | 'amountMinor'
  | 'netAmountMinor'
  | 'paidMinor'
  | 'method'
  | 'currency'
  | 'quantity'
  | 'unitId'
  | 'fulfillmentStatus'
  | 'isDisputed'
> & { readonly void: object | null };

/**
 * The figures of a Reward in its current state. Code that changes a Reward adds the difference, and
 * a recount adds up all of them: `howMany` similar ones at once, as one row with the sums of their
 * amounts and quantities.
 */
export function figuresOf(row: CountedReward, howMany: bigint = 1n): Figure[] {
  const { programId, ruleId, beneficiaryParticipantId: beneficiary } = row;
  const day = row.earnedAt.slice(0, 10);
  const standing = countsAsGiven(row) ? howMany : 0n;
  const figures = [
    // Used by caps and earning periods.
    figure(beneficiary, `earned:${ruleId}`, standing),
    periodFigureOf(row, standing),
    ...(row.signupPersonId === null ? [] : [onceFigureOf(ruleId, row.signupPersonId, standing)]),
    figure(beneficiary, `${programId}:rewards`, howMany),
    figure(programId, 'rewards', howMany),
    figure(programId, `${day}:rewards`, howMany),
    figure(programId, `${day}:voided`, isLost(row) ? howMany : 0n),
  ];
  if (row.amountMinor !== null) {
    figures.push(
      figure(beneficiary, `${programId}:net:${row.currency}`, owedOf(row)),
      figure(beneficiary, `${programId}:paid:${row.currency}`, paidOf(row)),
      figure(programId, `${day}:amount:${row.currency}`, row.amountMinor),
      figure(programId, `${day}:net:${row.currency}`, owedOf(row)),
    );
  }
  if (row.quantity !== null) {
    const subject = unitTotalsOf(programId);
    figures.push(
      figure(subject, `${row.unitId}:count`, howMany),
      figure(subject, `${row.unitId}:${SORTS[row.fulfillmentStatus]}`, row.quantity),
      figure(programId, `${day}:unit:${row.unitId}`, isLost(row) ? 0 : row.quantity),
    );
  }
  return figures;
}

function owedOf(row: CountedReward): bigint {
  return isLost(row) ? 0n : (row.netAmountMinor ?? 0n);
}

function isLost(row: CountedReward): boolean {
  return row.void !== null || SORTS[row.fulfillmentStatus] === 'voided';
}

/** The part of it that has reached the beneficiary: by payouts, or granted as a whole by other methods. */
function paidOf(row: CountedReward): bigint {
  if (row.method === 'payout') return row.paidMinor;
  return row.fulfillmentStatus === 'fulfilled' ? owedOf(row) : 0n;
}

/** A person's earnings in one currency, over all Programs. */
export interface MoneyTotals {
  readonly currency: string;
  /** Without voided or cancelled Rewards. */
  readonly earnedMinor: bigint;
  readonly paidMinor: bigint;
}

/** Reads the figures of a beneficiary, ordered by currency code. */
export function readMoneyTotals(figures: readonly Figure[]): MoneyTotals[] {
  const totals = new Map<string, MoneyTotals>();
  for (const { name, value } of figures) {
    const [, part, currency = ''] = name.split(':');
    if (part !== 'net' && part !== 'paid') continue;
    const known = totals.get(currency) ?? { currency, earnedMinor: 0n, paidMinor: 0n };
    const field = part === 'net' ? 'earnedMinor' : 'paidMinor';
    totals.set(currency, { ...known, [field]: known[field] + value });
  }
  return [...totals.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
}

/** When an earning period began: stored only for earlier versions, which may run beside this one. */
export function beginningOf(row: RewardRow, occurredAt: Instant): Figure {
  return { ...periodFigureOf(row, 0n), firstAt: occurredAt };
}

/** The subject of the earning period of a Reward's rule: a referral, or in loyalty a person. */
export function periodOf(row: Pick<RewardRow, 'referralId' | 'beneficiaryParticipantId'>): string {
  return row.referralId ?? row.beneficiaryParticipantId;
}

/** Number of Rewards of a rule that count as given within a period. */
export function periodFigureOf(
  row: Pick<RewardRow, 'ruleId' | 'referralId' | 'beneficiaryParticipantId'>,
  howMany: bigint,
): Figure {
  return figure(periodOf(row), `period:${row.ruleId}`, howMany);
}

/** Number of Rewards of a rule that count as given for a person's signup. */
export function onceFigureOf(ruleId: string, personId: string, howMany: bigint): Figure {
  return figure(personId, `once:${ruleId}`, howMany);
}
