import type { Queryable } from '../../../platform/db/driver.ts';
import { projectNow } from '../../../platform/feed/writer/project-clock.ts';
import type { ProjectRef } from '../../../platform/http/access/principal.ts';
import {
  decodeNumberCursor,
  encodeNumberCursor,
  LIMIT_DEFAULT,
} from '../../../platform/http/routes/paging.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import { parseInstant } from '../../../platform/kit/instant.ts';
import { findParties } from '../../participants/queries.ts';
import { loadBook } from '../../programs/book/load-book.ts';
import type { ProgramBook } from '../../programs/book/program-book.ts';
import { asksForPrograms, pickStreams, type RewardFilter } from '../delivery/pick-streams.ts';
import type { RewardDeps } from '../reward-deps.ts';
import type { ListRewards, Reward } from '../schema.ts';
import { findLastNumber, listRewards as listRows, type RewardRange } from '../store.ts';
import { showRewardsNow } from './show-rewards.ts';

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
  const cursor = query.cursor === undefined ? null : decodeNumberCursor('rewards', query.cursor);
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
  const rows = await listRows(reads, projectId, { filter, streams, range, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    success: true,
    data: await showRewardsNow({ reads, findPayable: deps.findPayable }, projectId, shown, now),
    nextCursor: rows.length > limit && last ? encodeNumberCursor('rewards', last.number) : null,
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
