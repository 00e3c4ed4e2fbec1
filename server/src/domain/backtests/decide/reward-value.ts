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

/** What an Event gave, added up; nothing is left out because it is worth nothing. */
export function linesOf(rewards: readonly (RewardRow | PastReward)[]): Map<string, Line> {
  const lines = new Map<string, Line>();
  for (const reward of rewards) {
    const { ruleId, beneficiaryParticipantId: beneficiaryId } = reward;
    const value = worthOf(reward);
    const key = [ruleId, beneficiaryId, value.kind, value.code].join('\n');
    const known = lines.get(key)?.amount ?? 0n;
    lines.set(key, { ...value, ruleId, beneficiaryId, amount: known + value.amount });
  }
  return lines;
}

/** A line whose worth differs. */
export interface LineDifference extends Omit<Line, 'amount'> {
  readonly actual: bigint;
  readonly proposed: bigint;
}

export function compareLines(
  actual: ReadonlyMap<string, Line>,
  proposed: ReadonlyMap<string, Line>,
): LineDifference[] {
  const keys = new Set([...actual.keys(), ...proposed.keys()]);
  return [...keys].flatMap((key) => {
    const [one, other] = [actual.get(key), proposed.get(key)];
    const line = one ?? other;
    const [was, is] = [one?.amount ?? 0n, other?.amount ?? 0n];
    if (!line || was === is) return [];
    const { amount: _, ...named } = line;
    return [{ ...named, actual: was, proposed: is }];
  });
}
