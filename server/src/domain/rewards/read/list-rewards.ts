import type { Queryable } from '../../../platform/db/driver.ts';
import { projectNow } from '../../../platform/feed/writer/project-clock.ts';
import { findFiguresOf } from '../../../platform/figures/figures.ts';
import type { ProjectRef } from '../../../platform/http/access/principal.ts';
import {
  cursorList,
  decodeNumberCursor,
  encodeNumberCursor,
  LIMIT_DEFAULT,
  type NumberPage,
  type Order,
} from '../../../platform/http/routes/paging.ts';
import { toTotals } from '../../../platform/http/routes/totals.ts';
import type { Clock } from '../../../platform/kit/clock.ts';
import { parseInstant } from '../../../platform/kit/instant.ts';
import { loadBook } from '../../programs/load-book.ts';
import type { ProgramBook } from '../../programs/program-book.ts';
import { type MoneyTotals, readMoneyTotals } from '../decide/reward-figures.ts';
import { type FindPayable, type RewardDeps, showRewardsNow } from '../queries.ts';
import type { RewardRow } from '../reward.ts';
import type { ListRewards, Reward, RewardQuery, RewardTotals } from '../schema.ts';
import { findLastNumber } from '../store.ts';
import { asksForPrograms, pickStreams, type RewardFilter } from './pick-streams.ts';
import {
  listRewards as listRewardRows,
  type RewardRange,
  type RewardSelection,
  sumRewards,
} from './reward-list-store.ts';

const NO_PROGRAMS: ProgramBook = { programs: new Map() };

/** Newest first, or oldest first. Fails with INVALID_REQUEST for an invalid cursor. */
export async function listRewards(
  deps: RewardDeps,
  project: ProjectRef,
  query: ListRewards,
): Promise<{ success: true; data: Reward[]; nextCursor: string | null }> {
  const { reads } = deps.database;
  const projectId = project.id;
  const limit = query.limit ?? LIMIT_DEFAULT;
  const order = query.order ?? 'desc';
  const list = cursorList('rewards', order);
  const cursor =
    query.cursor === undefined ? null : decodeNumberCursor(list, projectId, query.cursor);
  const [now, selection] = await Promise.all([
    projectNow(reads, deps.clock, project),
    selectRewards(deps, projectId, query),
  ]);
  const range = continueAt(selection.range, order, cursor);
  const page = { order, limit: limit + 1 };
  const rows = await listRewardRows(reads, projectId, { ...selection, range }, page);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    success: true,
    data: await showRewardsNow({ reads, findPayable: deps.findPayable }, projectId, shown, now),
    nextCursor:
      rows.length > limit && last ? encodeNumberCursor(list, projectId, last.number) : null,
  };
}

/** Number and sums of the Rewards that match. */
export async function totalRewards(
  deps: RewardDeps,
  projectId: string,
  query: RewardQuery,
): Promise<RewardTotals> {
  const selection = await selectRewards(deps, projectId, query);
  const { count, isMore, groups } = toTotals(
    await sumRewards(deps.database.reads, projectId, selection),
  );
  const sums =
    groups?.map(({ currency, currencyExponent, amountMinor, netAmountMinor }) => {
      return { currency, currencyExponent, amountMinor, netAmountMinor };
    }) ?? null;
  return { count, isMore, sums };
}

async function selectRewards(
  deps: RewardDeps,
  projectId: string,
  query: RewardQuery,
): Promise<RewardSelection> {
  const { reads } = deps.database;
  const filter: RewardFilter = {
    programId: query.programId ?? null,
    beneficiaryParticipantId: query.beneficiaryParticipantId ?? null,
    beneficiaryRole: query.beneficiaryRole ?? null,
    benefitKind: query.benefitKind ?? null,
    deliveryMethod: query.deliveryMethod ?? null,
    fulfillmentStatus: query.fulfillmentStatus ?? null,
    eventId: query.eventId ?? null,
  };
  const [book, range] = await Promise.all([
    asksForPrograms(filter) ? loadBook(reads, projectId) : NO_PROGRAMS,
    findRange(reads, projectId, query),
  ]);
  return { filter, streams: pickStreams(filter, book), range };
}

/** Both times are inclusive. */
async function findRange(
  db: Queryable,
  projectId: string,
  { earnedFrom, earnedTo }: RewardQuery,
): Promise<RewardRange> {
  const find = async (bound: 'before' | 'until', text: string | undefined) => {
    const at = text === undefined ? undefined : parseInstant(text);
    return at === undefined ? null : findLastNumber(db, projectId, bound, at);
  };
  const [above, upTo] = await Promise.all([find('before', earnedFrom), find('until', earnedTo)]);
  return { above, below: upTo === null ? null : upTo + 1 };
}

/** What is left of a range behind the last number of the previous page. */
function continueAt({ above, below }: RewardRange, order: Order, last: number | null): RewardRange {
  if (last === null) return { above, below };
  return order === 'asc'
    ? { above: Math.max(above ?? last, last), below }
    : { above, below: Math.min(below ?? last, last) };
}

/** A Reward and its number in the Project's list; newer ones have higher numbers. */
export interface NumberedReward {
  readonly number: number;
  readonly reward: Reward;
}

/** The newest Rewards of one participant. */
export async function listRewardsOf(
  deps: {
    readonly reads: Queryable;
    readonly clock: Clock;
    readonly findPayable: FindPayable;
  },
  project: Pick<ProjectRef, 'id' | 'environment'>,
  participantId: string,
  { below, limit }: NumberPage,
): Promise<NumberedReward[]> {
  const { reads, clock } = deps;
  const filter: RewardFilter = { ...ANY, beneficiaryParticipantId: participantId };
  const [now, book] = await Promise.all([
    projectNow(reads, clock, project),
    loadBook(reads, project.id),
  ]);
  const streams = pickStreams(filter, book);
  const range = { above: null, below };
  const page = { order: 'desc', limit } as const;
  const rows = await listRewardRows(reads, project.id, { filter, streams, range }, page);
  const shown = await showRewardsNow(deps, project.id, rows, now);
  return rows.map(({ number }, index) => ({ number, reward: shown[index] as Reward }));
}

/** The newest of one participant in one Program, as stored. */
export function listRewardsIn(
  db: Queryable,
  projectId: string,
  owner: { readonly participantId: string; readonly programId: string },
  { below, limit }: NumberPage,
): Promise<RewardRow[]> {
  const { participantId, programId } = owner;
  const filter = { ...ANY, programId, beneficiaryParticipantId: participantId };
  const streams = { programId: [programId] };
  const range = { above: null, below };
  return listRewardRows(db, projectId, { filter, streams, range }, { order: 'desc', limit });
}

const ANY: RewardFilter = {
  programId: null,
  beneficiaryParticipantId: null,
  beneficiaryRole: null,
  benefitKind: null,
  deliveryMethod: null,
  fulfillmentStatus: null,
  eventId: null,
};

/** What a participant has earned and received, by currency; stored as figures, whatever the number of Rewards. */
export async function findMoneyTotals(
  db: Queryable,
  projectId: string,
  participantId: string,
): Promise<MoneyTotals[]> {
  return readMoneyTotals(await findFiguresOf(db, projectId, participantId));
}
