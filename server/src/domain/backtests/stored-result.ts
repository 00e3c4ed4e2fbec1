import type { ProgramBook } from '../programs/program-book.ts';
import type { Replay } from './decide/replay.ts';
import type { Sums, Totals } from './decide/totals.ts';

/** Beneficiaries, and reviews, that are listed on either side. */
const TOP = 50;

/** A sum of what was given, and of what would have been given; amounts are decimal strings. */
export interface StoredSum {
  readonly kind: 'money' | 'unit' | 'discount';
  readonly code: string;
  readonly actual: string;
  readonly proposed: string;
}

interface StoredReview {
  readonly eventId: string;
  readonly referrerId: string;
  readonly refereeId: string;
  readonly score: number;
}

type StoredBeneficiary = StoredSum & { readonly participantId: string };

/** What is kept of a back-test that is done: ids of people, and no names. */
export interface StoredResult {
  readonly totals: readonly StoredSum[];
  /** Of the Project's other Programs. */
  readonly others: readonly StoredSum[];
  readonly byRule: readonly {
    readonly ruleId: string;
    readonly programId: string;
    readonly name: string;
    readonly sums: readonly StoredSum[];
  }[];
  readonly up: readonly StoredBeneficiary[];
  readonly down: readonly StoredBeneficiary[];
  readonly byDay: readonly { readonly day: string; readonly sums: readonly StoredSum[] }[];
  readonly reviews: {
    readonly actual: number;
    readonly proposed: number;
    readonly added: readonly StoredReview[];
    readonly removed: readonly StoredReview[];
  };
  readonly referrals: { readonly actual: number; readonly proposed: number };
  readonly events: {
    readonly compared: number;
    readonly notReproduced: number;
    readonly different: number;
    readonly listed: number;
  };
  readonly units: Readonly<Record<string, string>>;
}

interface Asked {
  readonly programId: string;
  readonly from: string;
  readonly to: string;
  readonly books: readonly ProgramBook[];
}

export function toStoredResult(
  replay: Replay,
  { programId, from, to, books }: Asked,
  counted: Pick<StoredResult['events'], 'different' | 'listed'>,
): StoredResult {
  const { own, others } = replay.events;
  const rules = new Map(
    books.flatMap((book) =>
      [...book.programs.values()].flatMap((program) =>
        program.rules.map((rule) => [rule.id, { ...rule, programId: program.id }] as const),
      ),
    ),
  );
  const reviews = replay.reviews.result(programId, from, to);
  return {
    totals: listSums(own.all),
    others: listSums(others.all),
    byRule: [...own.byRule, ...others.byRule].map(([ruleId, sums]) => ({
      ruleId,
      programId: rules.get(ruleId)?.programId ?? programId,
      name: rules.get(ruleId)?.name ?? '',
      sums: listSums(sums),
    })),
    ...rankBeneficiaries(own),
    byDay: [...own.byDay]
      .map(([day, sums]) => ({ day, sums: listSums(sums) }))
      .sort((a, b) => (a.day < b.day ? -1 : 1)),
    reviews: {
      ...reviews,
      added: reviews.added.slice(0, TOP).map(toReview),
      removed: reviews.removed.slice(0, TOP).map(toReview),
    },
    referrals: countReferrals(replay, { programId, from, to }),
    events: {
      compared: replay.events.compared,
      notReproduced: replay.events.notReproduced + replay.refused,
      ...counted,
    },
    units: Object.fromEntries(
      [...rules.values()].flatMap(({ terms }) =>
        terms.flatMap(({ unit }) => (unit ? [[unit.id, unit.namePlural] as const] : [])),
      ),
    ),
  };
}

function listSums(sums: Sums): StoredSum[] {
  return [...sums.values()]
    .map((one) => ({ ...one, actual: String(one.actual), proposed: String(one.proposed) }))
    .sort((a, b) => (`${a.kind} ${a.code}` < `${b.kind} ${b.code}` ? -1 : 1));
}

/** Who would have earned most more, and most less, in money. */
function rankBeneficiaries({ byBeneficiary }: Totals): Pick<StoredResult, 'up' | 'down'> {
  const changed = [...byBeneficiary].flatMap(([participantId, sums]) =>
    [...sums.values()].flatMap((one) => {
      const change = one.proposed - one.actual;
      return one.kind === 'money' && change !== 0n ? [{ participantId, ...one, change }] : [];
    }),
  );
  const sorted = changed.sort((a, b) => (a.change < b.change ? 1 : -1));
  const store = (list: typeof changed): StoredBeneficiary[] =>
    list.slice(0, TOP).map(({ change: _, ...one }) => ({
      ...one,
      actual: String(one.actual),
      proposed: String(one.proposed),
    }));
  return {
    up: store(sorted.filter(({ change }) => change > 0n)),
    down: store(sorted.filter(({ change }) => change < 0n).reverse()),
  };
}

function countReferrals(
  { referrals }: Replay,
  { programId, from, to }: Pick<Asked, 'programId' | 'from' | 'to'>,
) {
  const count = (list: Replay['referrals']['actual']) =>
    [...list.values()].filter(
      (one) =>
        one.programId === programId && from <= one.bindingOccurredAt && one.bindingOccurredAt < to,
    ).length;
  return { actual: count(referrals.actual), proposed: count(referrals.proposed) };
}

function toReview({ eventId, referrerId, refereeId, score }: StoredReview): StoredReview {
  return { eventId, referrerId, refereeId, score };
}
