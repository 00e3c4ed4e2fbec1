import type { RewardRow } from '../../rewards/reward.ts';
import type { PastReward } from './history.ts';

/** What a Reward is worth: money of a currency, units, or a discount. */
interface RewardValue {
  readonly kind: 'money' | 'unit' | 'discount';
  /** The currency or the unit. */
  readonly code: string;
  readonly amount: bigint;
}

type Valued = Pick<
  RewardRow,
  'netAmountMinor' | 'currency' | 'quantity' | 'unitId' | 'fulfillmentStatus'
> & { readonly void: object | null };

const LOST = new Set(['cancelled', 'revocation_pending', 'revoked']);

/** By what is left of it: nothing of a voided, cancelled or revoked one. */
function worthOf(reward: Valued): RewardValue {
  const isLost = reward.void !== null || LOST.has(reward.fulfillmentStatus);
  const amount = (left: bigint) => (isLost ? 0n : left);
  if (reward.netAmountMinor !== null) {
    return { kind: 'money', code: reward.currency ?? '', amount: amount(reward.netAmountMinor) };
  }
  if (reward.quantity !== null) {
    return { kind: 'unit', code: reward.unitId ?? '', amount: amount(BigInt(reward.quantity)) };
  }
  return { kind: 'discount', code: '', amount: amount(1n) };
}

/** Of a rule and a beneficiary, what an Event is worth in one kind. */
export interface Line extends RewardValue {
  readonly ruleId: string;
  readonly beneficiaryId: string;
}

/** A few: as many as an Event has rules that gave something, twice for both sides. */
export type Lines = readonly Line[];
export const NO_LINES: Lines = [];

function isSameLine(one: Omit<Line, 'amount'>, other: Omit<Line, 'amount'>): boolean {
  return (
    one.ruleId === other.ruleId &&
    one.beneficiaryId === other.beneficiaryId &&
    one.kind === other.kind &&
    one.code === other.code
  );
}

/** What Rewards gave, added to what was there; nothing is left out because it is worth nothing. */
export function linesOf(
  rewards: Iterable<RewardRow | PastReward>,
  before: Lines = NO_LINES,
): Lines {
  const lines = [...before];
  for (const reward of rewards) {
    const { ruleId, beneficiaryParticipantId: beneficiaryId } = reward;
    const { kind, code, amount } = worthOf(reward);
    const line: Line = { kind, code, ruleId, beneficiaryId, amount };
    const at = lines.findIndex((one) => isSameLine(one, line));
    const known = lines[at];
    if (known) lines[at] = { kind, code, ruleId, beneficiaryId, amount: known.amount + amount };
    else lines.push(line);
  }
  return lines;
}

/** A line whose worth differs. */
export interface LineDifference extends Omit<Line, 'amount'> {
  readonly actual: bigint;
  readonly proposed: bigint;
}

type ToDifference = (line: Line, actual: bigint, proposed: bigint) => LineDifference;

const bothSides: ToDifference = ({ kind, code, ruleId, beneficiaryId }, actual, proposed) => ({
  kind,
  code,
  ruleId,
  beneficiaryId,
  actual,
  proposed,
});

export function compareLines(
  actual: Lines,
  proposed: Lines,
  toDifference: ToDifference = bothSides,
): LineDifference[] {
  if (actual === proposed) return [];
  const differing: LineDifference[] = [];
  const add = (line: Line, was: bigint, is: bigint) => {
    if (was !== is) differing.push(toDifference(line, was, is));
  };
  for (const line of actual) {
    const other = proposed.find((one) => isSameLine(one, line));
    add(line, line.amount, other?.amount ?? 0n);
  }
  for (const line of proposed) {
    if (!actual.some((one) => isSameLine(one, line))) add(line, 0n, line.amount);
  }
  return differing;
}

/** What to add so that the lines `before` become `after`; `side` says of which course. */
export function changesOf(
  before: Lines,
  after: Lines,
  side: 'actual' | 'proposed',
): LineDifference[] {
  if (before === after) return [];
  return compareLines(before, after, ({ kind, code, ruleId, beneficiaryId }, was, is) => ({
    kind,
    code,
    ruleId,
    beneficiaryId,
    actual: side === 'actual' ? is - was : 0n,
    proposed: side === 'proposed' ? is - was : 0n,
  }));
}
