import type { Queryable } from '../../../platform/db/driver.ts';
import { projectNow } from '../../../platform/feed/writer/project-clock.ts';
import { findFiguresOf } from '../../../platform/figures/figures.ts';
import type { ProjectRef } from '../../../platform/http/access/principal.ts';
import {
  decodeNumberCursor,
  encodeNumberCursor,
  LIMIT_DEFAULT,
  type NumberPage,
} from '../../../platform/http/routes/paging.ts';
import type { Clock } from '../../../platform/kit/clock.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import { parseInstant } from '../../../platform/kit/instant.ts';
import { findParties } from '../../participants/queries.ts';
import { loadBook } from '../../programs/load-book.ts';
import type { ProgramBook } from '../../programs/program-book.ts';
import { type MoneyTotals, readMoneyTotals } from '../decide/reward-figures.ts';
import { type FindPayable, type RewardDeps, showRewardsNow } from '../queries.ts';
import type { RewardRow } from '../reward.ts';
import type { ListRewards, Reward } from '../schema.ts';
import { findLastNumber, listRewards as listRewardRows, type RewardRange } from '../store.ts';
import { asksForPrograms, pickStreams, type RewardFilter } from './pick-streams.ts';

const NO_PROGRAMS: ProgramBook = { programs: new Map() };

/**
 * Newest first. Fails with NOT_FOUND for an unknown Program, participant or Event, and with
 * INVALID_REQUEST for an invalid cursor.
 */
export async function listRewards(
  deps: RewardDeps,
  project: ProjectRef,
  query: ListRewards,
): Promise<{ success: true; data: Reward[]; nextCursor: string | null }> {
  const { reads } = deps.database;
  const projectId = project.id;
  const limit = query.limit ?? LIMIT_DEFAULT;
  const cursor =
    query.cursor === undefined ? null : decodeNumberCursor('rewards', projectId, query.cursor);
  const filter: RewardFilter = {
    programId: query.programId ?? null,
    beneficiaryParticipantId: query.beneficiaryParticipantId ?? null,
    beneficiaryRole: query.beneficiaryRole ?? null,
    benefitKind: query.benefitKind ?? null,
    deliveryMethod: query.deliveryMethod ?? null,
    fulfillmentStatus: query.fulfillmentStatus ?? null,
    eventId: query.eventId ?? null,
  };
  const [now, book, range] = await Promise.all([
    projectNow(reads, deps.clock, project),
    asksForPrograms(filter) ? loadBook(reads, projectId) : NO_PROGRAMS,
    findRange(reads, projectId, query, cursor),
    assertExists(deps, projectId, filter),
  ]);
  if (filter.programId !== null && !book.programs.has(filter.programId)) throw notFound('program');
  const streams = pickStreams(filter, book);
  const rows = await listRewardRows(reads, projectId, { filter, streams, range, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    success: true,
    data: await showRewardsNow({ reads, findPayable: deps.findPayable }, projectId, shown, now),
    nextCursor:
      rows.length > limit && last ? encodeNumberCursor('rewards', projectId, last.number) : null,
  };
}

async function assertExists(
  deps: RewardDeps,
  projectId: string,
  { beneficiaryParticipantId, eventId }: RewardFilter,
): Promise<void> {
  const [parties, isThere] = await Promise.all([
    beneficiaryParticipantId &&
      findParties(deps.database.reads, projectId, [beneficiaryParticipantId]),
    eventId && deps.hasEvent(projectId, eventId),
  ]);
  if (parties && parties.size === 0) throw notFound('participant');
  if (isThere === false) throw notFound('event');
}

/** Both times are inclusive. */
async function findRange(
  db: Queryable,
  projectId: string,
  { earnedFrom, earnedTo }: ListRewards,
  cursor: number | null,
): Promise<RewardRange> {
  const find = async (bound: 'before' | 'until', text: string | undefined) => {
    const at = text === undefined ? undefined : parseInstant(text);
    return at === undefined ? null : findLastNumber(db, projectId, bound, at);
  };
  const [above, upTo] = await Promise.all([find('before', earnedFrom), find('until', earnedTo)]);
  const bounds = [cursor, upTo === null ? null : upTo + 1].filter((bound) => bound !== null);
  return { above, below: bounds.length === 0 ? null : Math.min(...bounds) };
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
  const rows = await listRewardRows(reads, project.id, { filter, streams, range, limit });
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
  return listRewardRows(db, projectId, { filter, streams, range, limit });
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
