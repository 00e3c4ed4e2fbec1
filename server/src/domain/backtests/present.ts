import type { Queryable } from '../../platform/db/driver.ts';
import type { Party } from '../../platform/feed/render-event.ts';
import { isErasedExternalId } from '../participants/names/names.ts';
import { findParties } from '../participants/queries.ts';
import type { ParticipantKind } from '../participants/schema.ts';
import type { ProcessingReason } from '../tracking/event-schema.ts';
import { presentExplanation } from '../tracking/read/explanation.ts';
import type { Backtest, BacktestResult, BacktestWithResult, Difference } from './schema.ts';
import type { BacktestRow, StoredDifference, StoredExplained } from './store.ts';
import type { StoredResult, StoredSum } from './stored-result.ts';

export function presentBacktest(row: BacktestRow): Backtest {
  const { id, projectId, programId, from, to, status, failure } = row;
  return {
    id,
    projectId,
    programId,
    from,
    to,
    status,
    progress: {
      done: Number(row.eventsDone),
      all: row.eventsAll === null ? null : Number(row.eventsAll),
    },
    failure,
    createdAt: row.createdAt,
    createdBy: row.createdBy,
    startedAt: row.startedAt,
    finishedAt: row.finishedAt,
  };
}

const NO_RESULT = {
  totals: null,
  units: null,
  discounts: null,
  otherPrograms: null,
  byRule: null,
  byBeneficiary: null,
  byDay: null,
  reviews: null,
  referrals: null,
  events: null,
} as const satisfies Record<keyof BacktestResult, null>;

export async function presentWithResult(
  db: Queryable,
  row: BacktestRow,
): Promise<BacktestWithResult> {
  const { definition, result, projectId } = row;
  return {
    ...presentBacktest(row),
    definition,
    ...(result ? await presentResult(db, projectId, result) : NO_RESULT),
  };
}

type People = ReadonlyMap<string, ReturnType<typeof presentParty>>;

/** Who is not erased: erased people are left out of what is listed by person. */
async function findPeople(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<People> {
  const parties = await findParties(db, projectId, ids);
  return new Map(
    [...parties]
      .filter(([, { externalId }]) => externalId === null || !isErasedExternalId(externalId))
      .map(([id, party]) => [id, presentParty(party)]),
  );
}

function presentParty(party: Party) {
  return { ...party, kind: party.kind as ParticipantKind };
}

async function presentResult(
  db: Queryable,
  projectId: string,
  result: StoredResult,
): Promise<BacktestResult> {
  const { up, down, reviews } = result;
  const people = await findPeople(db, projectId, [
    ...[...up, ...down].map(({ participantId }) => participantId),
    ...[...reviews.added, ...reviews.removed].flatMap((one) => [one.referrerId, one.refereeId]),
  ]);
  const given = (sums: readonly StoredSum[]) => presentSums(sums, result.units);
  const beneficiaries = (list: StoredResult['up']) =>
    list.flatMap(({ participantId, code: currency, actual, proposed }) => {
      const participant = people.get(participantId);
      return participant
        ? [{ participant, currency, actualMinor: actual, proposedMinor: proposed }]
        : [];
    });
  const reviewed = (list: StoredResult['reviews']['added']) =>
    list.flatMap(({ eventId, referrerId, refereeId, score }) => {
      const [referrer, referee] = [people.get(referrerId), people.get(refereeId)];
      return referrer && referee ? [{ eventId, referrer, referee, score }] : [];
    });
  return {
    ...given(result.totals),
    otherPrograms: given(result.others).totals,
    byRule: result.byRule.map(({ ruleId, programId, name, sums }) => ({
      ruleId,
      programId,
      name,
      ...given(sums),
    })),
    byBeneficiary: { up: beneficiaries(up), down: beneficiaries(down) },
    byDay: result.byDay.map(({ day, sums }) => ({ day, totals: given(sums).totals })),
    reviews: { ...reviews, added: reviewed(reviews.added), removed: reviewed(reviews.removed) },
    referrals: result.referrals,
    events: result.events,
  };
}

function presentSums(sums: readonly StoredSum[], units: StoredResult['units']) {
  const discount = sums.find(({ kind }) => kind === 'discount');
  return {
    totals: sums.flatMap(({ kind, code: currency, actual, proposed }) =>
      kind === 'money' ? [{ currency, actualMinor: actual, proposedMinor: proposed }] : [],
    ),
    units: sums.flatMap(({ kind, code: unitId, actual, proposed }) =>
      kind === 'unit' ? [{ unitId, name: units[unitId] ?? '', actual, proposed }] : [],
    ),
    discounts: discount ? { actual: discount.actual, proposed: discount.proposed } : null,
  };
}

/** Differences with the people whom they name; those of erased people are deleted with them. */
export async function presentDifferences(
  db: Queryable,
  projectId: string,
  rows: readonly StoredDifference[],
): Promise<Difference[]> {
  const people = await findPeople(
    db,
    projectId,
    rows.flatMap(({ lines, actual, proposed }) => [
      ...lines.map(({ beneficiaryId }) => beneficiaryId),
      ...[actual?.referrerId, proposed?.referrerId].flatMap((id) => id ?? []),
    ]),
  );
  return rows.map(({ eventId, occurredAt, lines, actual, proposed }) => ({
    eventId,
    occurredAt,
    lines: lines.flatMap(({ beneficiaryId, ...line }) => {
      const beneficiary = people.get(beneficiaryId);
      return beneficiary
        ? [
            {
              ruleId: line.ruleId,
              beneficiary,
              kind: line.kind,
              code: line.code,
              actual: line.actual,
              proposed: line.proposed,
            },
          ]
        : [];
    }),
    actual: presentCourse(actual, people),
    proposed: presentCourse(proposed, people),
  }));
}

function presentCourse(stored: StoredExplained | null, people: People): Difference['actual'] {
  if (!stored) return null;
  const { reason, programId, referrerId, explanation } = stored;
  return {
    reason: reason as ProcessingReason,
    programId,
    referrer: people.get(referrerId ?? '') ?? null,
    explanation: presentExplanation(explanation),
  };
}
