/** Partners on the list. */
export const LEADERS_MAX = 10;
/** With fewer, a masked name would still tell who it is. */
const LEADERS_MIN = 3;

export interface Leader {
  readonly participantId: string;
  /** Null if it was erased. */
  readonly name: string | null;
  readonly referrals: number;
}

interface LeaderRow {
  /** The same for the same number of referrals. */
  readonly rank: number;
  /** Masked; null for the reader's own row. */
  readonly name: string | null;
  readonly referrals: number;
}

export interface Leaderboard {
  readonly rows: readonly LeaderRow[];
  /** The reader's own number if they are not in the list; null if they are. */
  readonly ownReferrals: number | null;
}

/**
 * What a partner sees of the partners with the most referrals, given in descending order: masked
 * names, and no amounts. Null if too few take part. Erased partners are left out.
 */
export function decideLeaderboard(
  leaders: readonly Leader[],
  own: { readonly participantId: string; readonly referrals: number },
): Leaderboard | null {
  const named = leaders.flatMap(({ name, ...one }) => (name === null ? [] : [{ ...one, name }]));
  if (named.length < LEADERS_MIN) return null;
  const shown = named.slice(0, LEADERS_MAX);
  const isOwn = ({ participantId }: Pick<Leader, 'participantId'>) =>
    participantId === own.participantId;
  return {
    rows: shown.map((leader) => ({
      rank: shown.findIndex(({ referrals }) => referrals === leader.referrals) + 1,
      name: isOwn(leader) ? null : maskName(leader.name),
      referrals: leader.referrals,
    })),
    ownReferrals: shown.some(isOwn) ? null : own.referrals,
  };
}

/** `Ada King Lovelace` → `A… L…`: the first letters of the first and the last word. */
export function maskName(name: string): string {
  const words = name.trim().split(/\s+/u);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.map((word) => `${[...(word ?? '')][0] ?? ''}…`).join(' ');
}
