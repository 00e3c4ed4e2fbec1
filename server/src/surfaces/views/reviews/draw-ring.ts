import type { RING_LINKS } from '../../../domain/risk/schema.ts';

type RingLinkKind = (typeof RING_LINKS)[number];

export interface RingLink {
  readonly from: string;
  readonly to: string;
  readonly kind: RingLinkKind;
}

/** Something that may be shared: a network, an account, a card or an address, as a keyed hash. Never shown. */
export interface Mark {
  readonly participantId: string;
  readonly kind: Exclude<RingLinkKind, 'referral'>;
  readonly mark: string;
}

export interface RingFacts {
  readonly referrerId: string;
  readonly refereeId: string;
  /** Between any of the people around the referral. */
  readonly referrals: readonly { readonly from: string; readonly to: string }[];
  readonly marks: readonly Mark[];
}

/**
 * The people around a referral who share something or refer each other in a circle, and what connects them. Somebody who
 * was only referred by the same person is left out.
 */
export function drawRing({ referrerId, refereeId, referrals, marks }: RingFacts): {
  readonly people: string[];
  readonly links: RingLink[];
} {
  const shared = sharedLinks(marks, refereeId);
  const known = new Set([referrerId, refereeId, ...inCircle(referrals, referrerId, refereeId)]);
  for (const { from, to } of shared) known.add(from).add(to);
  const referred = referrals.filter(({ from, to }) => known.has(from) && known.has(to));
  return {
    people: [...known],
    links: [...referred.map((one): RingLink => ({ ...one, kind: 'referral' })), ...shared],
  };
}

/** Who shares a mark is linked to one of them: to the referee if possible. Everybody with everybody would be a tangle. */
function sharedLinks(marks: readonly Mark[], refereeId: string): RingLink[] {
  const holders = new Map<string, Set<string>>();
  for (const { kind, mark, participantId } of marks) {
    const key = `${kind} ${mark}`;
    holders.set(key, (holders.get(key) ?? new Set()).add(participantId));
  }
  const links = new Map<string, RingLink>();
  for (const [key, people] of holders) {
    const kind = key.split(' ')[0] as Mark['kind'];
    const [first = '', ...others] = [...people].toSorted(
      (a, b) => Number(b === refereeId) - Number(a === refereeId),
    );
    for (const to of others) links.set(`${kind} ${first} ${to}`, { from: first, to, kind });
  }
  return [...links.values()];
}

/** The way from the referee back to the referrer by referrals; empty if there is none. */
function inCircle(
  referrals: RingFacts['referrals'],
  referrerId: string,
  refereeId: string,
): readonly string[] {
  const referrerOf = new Map(referrals.map(({ from, to }) => [to, from]));
  const way = [referrerId];
  while (way.length <= referrals.length) {
    const above = referrerOf.get(way.at(-1) ?? '');
    if (above === undefined) return [];
    if (above === refereeId) return way;
    way.push(above);
  }
  return [];
}
