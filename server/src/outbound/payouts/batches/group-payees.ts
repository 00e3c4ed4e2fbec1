import { groupBy } from '../../../platform/kit/group-by.ts';

/** What a project owes a participant in one currency, not yet in an open payout. */
export interface Owed {
  readonly projectId: string;
  readonly participantId: string;
  /** The partner behind the participant: paid once for all projects. */
  readonly partnerId: string | null;
  readonly currency: string;
  readonly currencyExponent: number;
  /** May be negative. */
  readonly dueMinor: bigint;
  /** Sum of the lines' absolute amounts. */
  readonly grossMinor: bigint;
  /** Whether there are payout details, and whether the method can use them. */
  readonly details: 'usable' | 'of_other_method' | 'missing';
}

/** A planned transfer. */
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

/** The id of the payee. Neither part contains a colon, so the two kinds never collide. */
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
 * Groups what one transfer pays: one payee, one currency, over all projects. Amounts below the
 * minimum are carried over, unless their payee is already in the batch. So are amounts too large
 * for a transfer, whose parts may not be storable either.
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

/** By currency, in minor units. */
export type Minimums = Readonly<Record<string, string>>;

/** The smallest amount of a transfer, in minor units; 0 where none is set. */
export function minimumOf(minimums: Minimums, currency: string): bigint {
  return BigInt((Object.hasOwn(minimums, currency) && minimums[currency]) || '0');
}

/** The largest amount of a transfer that can be stored, in minor units: 18 digits. */
export const MAXIMUM_MINOR = 10n ** 18n - 1n;

/** A transfer must be positive. */
export function isEnough(totalMinor: bigint, minimumMinor: bigint): boolean {
  return totalMinor > 0n && totalMinor >= minimumMinor;
}
