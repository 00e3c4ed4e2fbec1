import type { Instant } from '../../../platform/kit/instant.ts';
import { smallerOf } from '../../../platform/kit/money.ts';
import type { Moment } from '../decide/reward-decision.ts';
import { transition } from '../decide/states.ts';
import {
  confirm,
  type DeliveryLine,
  type DeliveryRow,
  type DeliveryStep,
  type Prepared,
  type Settled,
} from '../delivery/decide-delivery.ts';
import type { GivenCredit } from '../delivery/provider.ts';
import type { RewardRow } from '../reward.ts';

/** A credit that the store does not know of: later credits of its account are smaller by it. */
export interface AdvanceRow extends GivenCredit {
  readonly restoreId: string;
  readonly account: string;
  readonly leftMinor: bigint;
}

/** What the store has of the Rewards that credits name. */
export interface Books {
  readonly account: string;
  /** The credits since then are all that the provider has. */
  readonly since: Instant;
  readonly rewards: ReadonlyMap<string, RewardRow>;
  readonly deliveries: ReadonlyMap<string, DeliveryRow>;
  /** The lines and advances that are there, as `creditKey`. */
  readonly known: ReadonlySet<string>;
}

export interface Adoption {
  readonly settled: readonly Settled[];
  readonly advances: readonly GivenCredit[];
}

export const creditKey = ({ rewardId, attempt }: Pick<GivenCredit, 'rewardId' | 'attempt'>) =>
  `${rewardId}_${attempt}`;

/**
 * Adopts what a provider has of one account. A credit for a Reward that is here and unpaid pays it; one that was taken back
 * counts as taken back. Every other credit is an advance.
 */
export function decideAdoption(
  given: readonly GivenCredit[],
  books: Books,
  moment: Moment,
): Adoption {
  const { account } = books;
  const rewards = new Map(books.rewards);
  const deliveries = new Map(books.deliveries);
  const settled: Settled[] = [];
  const advances: GivenCredit[] = [];
  for (const credit of given.toSorted(byAttempt)) {
    const { rewardId } = credit;
    if (books.known.has(creditKey(credit))) continue;
    const reward = rewards.get(rewardId);
    const delivery = deliveries.get(rewardId);
    const isOver = delivery && isOrderOver(delivery, credit, books);
    const done = reward && isOver ? payOwn(reward, { ...delivery, account }, credit, moment) : null;
    if (!done) {
      advances.push(credit);
      continue;
    }
    rewards.set(rewardId, done.reward);
    deliveries.set(rewardId, done.delivery);
    settled.push(done);
  }
  return { settled, advances };
}

function byAttempt(a: GivenCredit, b: GivenCredit): number {
  if (a.rewardId !== b.rewardId) return a.rewardId < b.rewardId ? -1 : 1;
  return a.attempt - b.attempt;
}

/**
 * Whether nothing more can come of the order that is open here. It is this credit, or one that was given up before the
 * credit was ordered.
 */
function isOrderOver(
  { intent, attempt }: DeliveryRow,
  credit: GivenCredit,
  { since }: Pick<Books, 'since'>,
): boolean {
  if (!intent || attempt === credit.attempt) return true;
  return attempt < credit.attempt && intent.intendedAt >= since;
}

/** Null if the Reward is in no state to be paid, or the credit is in another currency. */
function payOwn(
  row: RewardRow,
  delivery: DeliveryRow,
  { attempt, amountMinor, currency, reference, madeAt }: GivenCredit,
  moment: Moment,
): Settled | null {
  const isOrdered = delivery.intent !== null && delivery.attempt === attempt;
  const step = isOrdered ? (delivery.intent?.step ?? null) : stepOf(row, amountMinor);
  if (step === null || row.currency !== currency) return null;
  const sent = { ...delivery, attempt: attempt > delivery.attempt ? attempt : delivery.attempt };
  const account = delivery.account ?? '';
  const intent = { step, amountMinor, account, intendedAt: madeAt, reference } as const;
  const isPending = row.fulfillmentStatus === 'pending';
  const done = confirm(isPending ? submitted(row) : row, sent, intent, moment);
  // The line has the attempt that the provider knows.
  return { ...done, line: done.line && { ...done.line, attempt } };
}

/** What a credit of this amount was for a Reward as it is here; null if it can have been nothing. */
function stepOf(row: RewardRow, amountMinor: bigint): DeliveryStep | null {
  switch (row.fulfillmentStatus) {
    case 'pending':
    case 'in_progress':
      return amountMinor > 0n ? 'grant' : null;
    case 'fulfilled':
      return 'correct';
    case 'revocation_pending':
      return row.paidMinor + amountMinor === 0n ? 'take_back' : 'correct';
    default:
      return null;
  }
}

function submitted(row: RewardRow): RewardRow {
  const to = transition(row.fulfillmentStatus, 'submit');
  if (!to) throw new Error(`Reward ${row.id} cannot be granted from ${row.fulfillmentStatus}.`);
  return { ...row, fulfillmentStatus: to };
}

/** A prepared delivery of which a part, or all, was given in advance. */
export interface Netted extends Settled {
  readonly line: DeliveryLine;
  /** Of each advance, what is left afterwards. */
  readonly left: ReadonlyMap<string, bigint>;
}

/**
 * Settles a prepared delivery with what is left of the advances of its account. If that is less than
 * its amount, the rest becomes due again. Null if there is nothing to settle it with.
 */
export function useAdvances(
  { reward, delivery }: Prepared,
  advances: readonly Pick<AdvanceRow, 'reference' | 'account' | 'currency' | 'leftMinor'>[],
  moment: Moment,
): Netted | null {
  const { intent } = delivery;
  if (!intent || intent.amountMinor <= 0n || delivery.method !== 'stripe_balance') return null;
  const theirs = advances.filter(
    ({ account, currency }) => account === intent.account && currency === reward.currency,
  );
  // Taken back ones count against the others.
  const available = theirs.reduce((sum, { leftMinor }) => sum + leftMinor, 0n);
  if (available <= 0n) return null;
  const amountMinor = smallerOf(available, intent.amountMinor);
  const left = new Map<string, bigint>();
  let rest = amountMinor;
  for (const { reference, leftMinor } of theirs) {
    if (rest <= 0n || leftMinor <= 0n) continue;
    const used = smallerOf(leftMinor, rest);
    left.set(reference, leftMinor - used);
    rest -= used;
  }
  const [reference = ''] = left.keys();
  const done = confirm(reward, delivery, { ...intent, amountMinor, reference }, moment);
  const line = done.line as DeliveryLine;
  return { ...done, line: { ...line, advance: reference }, left };
}
