import type { RiskLists } from '../queries.ts';

export type Effect = 'allowed' | 'watched';
export type EntryKind = 'domain' | 'network' | 'individual' | 'group';
/** Both lists, as they are saved. */
export type Lists = Pick<RiskLists, Effect>;
type OneList = Lists[Effect];

export interface Entry {
  readonly effect: Effect;
  readonly kind: EntryKind;
  readonly value: string;
}

export const KINDS: Readonly<Record<EntryKind, { readonly label: string; readonly hint: string }>> =
  {
    domain: { label: 'E-mail domain', hint: 'example.com' },
    network: { label: 'Network', hint: '203.0.113.0/24 or 2001:db8::/48' },
    individual: { label: 'Person', hint: 'The external id: user-42' },
    group: { label: 'Group', hint: 'The external id: team-7' },
  };

/** The service takes this many domains, networks and participants in each list. */
export const LIST_MAX = 1_000;

const isSame = (one: Entry, other: Pick<Entry, 'kind' | 'value'>) =>
  one.kind === other.kind && one.value === other.value;

/** All entries of both lists, in the order of their values. */
export function toEntries(lists: Lists): Entry[] {
  const of = (effect: Effect): Entry[] => [
    ...lists[effect].emailDomains.map((value) => ({ effect, kind: 'domain' as const, value })),
    ...lists[effect].networks.map((value) => ({ effect, kind: 'network' as const, value })),
    ...lists[effect].participants.map(({ kind, externalId: value }) => ({ effect, kind, value })),
  ];
  return [...of('allowed'), ...of('watched')].toSorted((one, other) =>
    one.value.localeCompare(other.value, 'en', { numeric: true }),
  );
}

export function toLists(entries: readonly Entry[]): Lists {
  const of = (effect: Effect): OneList => {
    const own = entries.filter((one) => one.effect === effect);
    const valuesOf = (kind: EntryKind) =>
      own.filter((one) => one.kind === kind).map(({ value }) => value);
    return {
      emailDomains: valuesOf('domain'),
      networks: valuesOf('network'),
      participants: own.flatMap(({ kind, value }) =>
        kind === 'individual' || kind === 'group' ? [{ kind, externalId: value }] : [],
      ),
    };
  };
  return { allowed: of('allowed'), watched: of('watched') };
}

/** What was in a list is in one list afterwards, the one it was added to last. */
export const addEntries = (entries: readonly Entry[], added: readonly Entry[]): Entry[] => [
  ...entries.filter((one) => !added.some((other) => isSame(one, other))),
  ...added,
];

export const removeEntry = (entries: readonly Entry[], gone: Entry): Entry[] =>
  entries.filter((one) => !isSame(one, gone));

/** What the service would refuse; null if it is fine. */
export function problemOf(entries: readonly Entry[]): string | null {
  for (const list of Object.values(toLists(entries))) {
    const { emailDomains, networks, participants } = list;
    if ([emailDomains, networks, participants].some(({ length }) => length > LIST_MAX))
      return `A list has at most ${LIST_MAX.toLocaleString()} domains, networks and participants each.`;
  }
  return null;
}
