import { type Figure, figure } from '../../../platform/figures/tally.ts';
import { makeOnce } from '../../../platform/kit/make-once.ts';
import { daysOf } from '../../participants/partner-days.ts';
import { countsAsGiven, type RewardRow } from '../reward.ts';
import { isLostMilestone } from './lose-milestone.ts';
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

/** The part of a Program's figures with its totals of custom units; their names are `<unit>:<sort>`. */
export const UNIT_TOTALS = 'units';

/** How much of a unit a Program's Rewards have given, by progress. */
export interface UnitTotals {
  readonly unitId: string;
  readonly count: number;
  readonly pending: number;
  readonly fulfilled: number;
  readonly voided: number;
}

/** Reads the figures of `UNIT_TOTALS`, ordered by unit. */
export function readUnitTotals(figures: readonly Figure[]): UnitTotals[] {
  const totals = new Map<string, UnitTotals>();
  for (const { name, value } of figures) {
    const [unitId = '', part = ''] = name.split(':');
    const known = totals.get(unitId) ?? { unitId, count: 0, pending: 0, fulfilled: 0, voided: 0 };
    totals.set(unitId, { ...known, [part]: Number(value) });
  }
  return [...totals.values()].sort((a, b) => (a.unitId < b.unitId ? -1 : 1));
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
  | 'milestone'
> & { readonly void: { readonly reasonCode?: string } | null };

/**
 * The figures of a Reward in its current state. Code that changes a Reward adds the difference, and
 * a recount adds up all of them: `howMany` similar ones at once, as one row with the sums of their
 * amounts and quantities.
 */
export function figuresOf(row: CountedReward, howMany: bigint = 1n): Figure[] {
  return [...decidingFiguresOf(row, howMany), ...listedFiguresOf(row, howMany)];
}

/** Decisions read these: for caps, earning periods and milestones. */
export function decidingFiguresOf(row: CountedReward, howMany: bigint = 1n): Figure[] {
  const { programId, ruleId, beneficiaryParticipantId: beneficiary } = row;
  const standing = countsAsGiven(row) ? howMany : 0n;
  return [
    figure(beneficiary, programId, givenName(ruleId), standing),
    row.signupPersonId === null
      ? periodFigureOf(row, standing)
      : onceFigureOf(row, row.signupPersonId, standing),
    ...(row.milestone === null ? NO_FIGURES : milestoneFiguresOf(row, howMany)),
  ];
}

const NO_FIGURES: readonly Figure[] = [];

export function listedFiguresOf(row: CountedReward, howMany: bigint = 1n): Figure[] {
  const { programId, beneficiaryParticipantId: beneficiary } = row;
  const day = row.earnedAt.slice(0, 10);
  const figures = [
    figure(beneficiary, programId, 'rewards', howMany),
    figure(programId, '', 'rewards', howMany),
    figure(programId, day, 'rewards', howMany),
    figure(programId, day, 'voided', isLost(row) ? howMany : 0n),
  ];
  if (row.amountMinor !== null) {
    figures.push(
      figure(beneficiary, programId, `net:${row.currency}`, owedOf(row)),
      figure(beneficiary, programId, `paid:${row.currency}`, paidOf(row)),
      figure(programId, day, `amount:${row.currency}`, row.amountMinor),
      figure(programId, day, `net:${row.currency}`, owedOf(row)),
      figure(programId, day, `paid:${row.currency}`, paidOf(row)),
    );
  }
  if (row.quantity !== null) {
    figures.push(
      figure(programId, UNIT_TOTALS, `${row.unitId}:count`, howMany),
      figure(programId, UNIT_TOTALS, `${row.unitId}:${SORTS[row.fulfillmentStatus]}`, row.quantity),
      figure(programId, day, `unit:${row.unitId}`, isLost(row) ? 0 : row.quantity),
    );
  }
  return figures;
}

/** The number of Rewards of a rule that count for its cap. */
export const givenName = makeOnce((ruleId) => `earned:${ruleId}`);
export const periodName = makeOnce((ruleId) => `period:${ruleId}`);
export const onceName = makeOnce((ruleId) => `once:${ruleId}`);

/** Multiples that were ever earned, and those of them that are lost and may be regained. */
export function milestoneNames(ruleId: string) {
  return { reached: `reached:${ruleId}`, lost: `lost:${ruleId}` };
}

function milestoneFiguresOf(row: CountedReward, howMany: bigint): Figure[] {
  const { beneficiaryParticipantId, programId, ruleId } = row;
  const { reached, lost } = milestoneNames(ruleId);
  return [
    figure(beneficiaryParticipantId, programId, reached, howMany),
    figure(beneficiaryParticipantId, programId, lost, isLostMilestone(row) ? howMany : 0n),
  ];
}

/** What a Reward adds to the day on which its beneficiary earned it, if that is a Partner. */
export function earnedDaysOf(row: CountedReward): Figure[] {
  const { programId, beneficiaryParticipantId: beneficiary } = row;
  if (row.amountMinor === null) return [];
  const day = row.earnedAt.slice(0, 10);
  return [figure(daysOf(beneficiary, programId), day, `net:${row.currency}`, owedOf(row))];
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
    const [part, currency = ''] = name.split(':');
    if (part !== 'net' && part !== 'paid') continue;
    const known = totals.get(currency) ?? { currency, earnedMinor: 0n, paidMinor: 0n };
    const field = part === 'net' ? 'earnedMinor' : 'paidMinor';
    totals.set(currency, { ...known, [field]: known[field] + value });
  }
  return [...totals.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
}

/** The subject of the earning period of a Reward's rule: a referral, or in loyalty a person. */
export function periodOf(row: Pick<RewardRow, 'referralId' | 'beneficiaryParticipantId'>): string {
  return row.referralId ?? row.beneficiaryParticipantId;
}

/** Number of Rewards of a rule that count as given within a period; of those for signups, see `onceFigureOf`. */
export function periodFigureOf(
  row: Pick<RewardRow, 'programId' | 'ruleId' | 'referralId' | 'beneficiaryParticipantId'>,
  howMany: bigint,
): Figure {
  return figure(periodOf(row), row.programId, periodName(row.ruleId), howMany);
}

/** Number of Rewards of a rule that count as given for a person's signup. */
export function onceFigureOf(
  { programId, ruleId }: Pick<RewardRow, 'programId' | 'ruleId'>,
  personId: string,
  howMany: bigint,
): Figure {
  return figure(personId, programId, onceName(ruleId), howMany);
}
