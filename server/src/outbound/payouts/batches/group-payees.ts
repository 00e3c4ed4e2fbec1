import { groupBy } from '../../../platform/kit/group-by.ts';
import { isEnough, MAXIMUM_MINOR } from './minimum.ts';

/** What one participant of a Project is owed in one currency and is in no open payout yet. */
export interface Owed {
  readonly projectId: string;
  readonly participantId: string;
  /** The Partner that the participant stands for: paid once for all Projects. */
  readonly partnerId: string | null;
  readonly currency: string;
  readonly currencyExponent: number;
  /** May be below zero. */
  readonly dueMinor: bigint;
  /** All lines without their signs. */
  readonly grossMinor: bigint;
  /** Whether there are payout details, and whether the method can pay to such. */
  readonly details: 'usable' | 'of_other_method' | 'missing';
}

/** One transfer to be. */
export interface Payee {
  readonly payee: string;
  readonly currency: string;
  readonly currencyExponent: number;
  readonly members: readonly Owed[];
}

export interface Waiting {
  readonly owed: Owed;
  readonly reason: 'awaiting_payout_details' | 'below_minimum' | 'above_maximum';
}

/** Who gets the money. No participant's id has a colon in it, so that the two never meet. */
export function payeeOf({
  projectId,
  participantId,
  partnerId,
}: Pick<Owed, 'projectId' | 'participantId' | 'partnerId'>): string {
  return partnerId ?? `${projectId}:${participantId}`;
}

export function isPartnerPayee(payee: string): boolean {
  return !payee.includes(':');
}

export function keyOfPayee(payee: string, currency: string): string {
  return `${payee} ${currency}`;
}

/**
 * Puts together what goes out in one transfer: one payee, one currency, over all Projects. What
 * does not come to the minimum is carried over, unless its payee is in the batch already. So is what
 * no transfer can carry, whose parts may not be stored either.
 */
export function groupPayees(
  owed: readonly Owed[],
  minimumOf: (currency: string) => bigint,
  known: ReadonlySet<string> = new Set(),
): { readonly payable: Payee[]; readonly waiting: Waiting[] } {
  const payable: Payee[] = [];
  const waiting: Waiting[] = owed
    .filter(({ details }) => details === 'missing')
    .map((one) => ({ owed: one, reason: 'awaiting_payout_details' }));
  const usable = owed.filter(({ details }) => details === 'usable');
  const groups = groupBy(usable, (one) => keyOfPayee(payeeOf(one), one.currency));
  for (const [key, members] of groups) {
    const [first] = members as [Owed, ...Owed[]];
    const { currency, currencyExponent } = first;
    const totalMinor = members.reduce((sum, { dueMinor }) => sum + dueMinor, 0n);
    const grossMinor = members.reduce((sum, one) => sum + one.grossMinor, 0n);
    if (grossMinor > MAXIMUM_MINOR) {
      waiting.push(...members.map((one) => ({ owed: one, reason: 'above_maximum' as const })));
    } else if (known.has(key) || isEnough(totalMinor, minimumOf(currency))) {
      payable.push({ payee: payeeOf(first), currency, currencyExponent, members });
    } else {
      waiting.push(...members.map((one) => ({ owed: one, reason: 'below_minimum' as const })));
    }
  }
  return { payable, waiting };
}
