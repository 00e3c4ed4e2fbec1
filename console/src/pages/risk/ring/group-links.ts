import type { Ring } from '../queries.ts';

export type LinkKind = Ring['links'][number]['kind'];
export type SharedKind = Exclude<LinkKind, 'referral'>;

/** People who share something: a network, an account, a card, an address. */
export interface Shared {
  readonly kind: SharedKind;
  /** Two or more, in the order of the ring. */
  readonly ids: readonly string[];
}

export interface Referred {
  readonly from: string;
  readonly to: string;
}

/**
 * Who referred whom, and who shares what. Everybody who is connected by links of one kind shares
 * one thing: a network of ten is one group and not 45 pairs. Links to nobody in the ring are left out.
 */
export function groupLinks({ people, links }: Ring): {
  readonly referred: readonly Referred[];
  readonly shared: readonly Shared[];
} {
  const known = new Set(people.map(({ participantId }) => participantId));
  const inside = links.filter(({ from, to }) => from !== to && known.has(from) && known.has(to));
  const kinds = [...new Set(inside.map(({ kind }) => kind))].filter(isShared);
  return {
    referred: inside
      .filter(({ kind }) => kind === 'referral')
      .map(({ from, to }) => ({ from, to })),
    shared: kinds.flatMap((kind) =>
      connected(
        [...known],
        inside.filter((link) => link.kind === kind),
      ).map((ids) => ({ kind, ids })),
    ),
  };
}

const isShared = (kind: LinkKind): kind is SharedKind => kind !== 'referral';

/** Those that links connect, directly or not; those without links are left out. */
function connected(ids: readonly string[], links: readonly Referred[]): string[][] {
  const groupOf = new Map(ids.map((id) => [id, id]));
  const find = (id: string): string => {
    const above = groupOf.get(id) ?? id;
    return above === id ? id : find(above);
  };
  for (const { from, to } of links) groupOf.set(find(from), find(to));
  const groups = new Map<string, string[]>();
  for (const id of ids) groups.set(find(id), [...(groups.get(find(id)) ?? []), id]);
  return [...groups.values()].filter((group) => group.length > 1);
}
