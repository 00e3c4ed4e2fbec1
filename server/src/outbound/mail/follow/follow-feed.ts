import type { Tx } from '../../../platform/db/database.ts';
import { findFeedEvents } from '../../../platform/feed/queries.ts';
import { findProjectClock } from '../../../platform/feed/writer/project-clock.ts';
import { toInstant } from '../../../platform/kit/instant.ts';
import type { MailDeps, MailWorkerDeps } from '../mail-deps.ts';
import { listProgramMail } from '../settings/settings-store.ts';
import { isSince } from '../settings/switch-kinds.ts';
import { decideMails, type FollowedEvent, type MailDraft } from './decide-mails.ts';
import {
  findProgramsOfRewards,
  insertMails,
  listProjectsBehind,
  lockPosition,
  updatePosition,
} from './outbox-store.ts';

const EVENTS_MAX = 200;
const PROJECTS_MAX = 100;

/**
 * Reads the feeds of all Projects that mail; returns how many events it read. Any number of processes may run it. A
 * Project that fails holds up no other.
 */
export async function followFeeds(deps: MailWorkerDeps, signal: AbortSignal): Promise<number> {
  let read = 0;
  for (const projectId of await listProjectsBehind(deps.database.reads, PROJECTS_MAX)) {
    if (signal.aborted) return read;
    read += await followFeed(deps, projectId).catch((error: unknown) => {
      deps.onFailure(error);
      return 0;
    });
  }
  return read;
}

/**
 * Writes the mails of the next events of a feed together with the position: a crash repeats nothing and misses
 * nothing. Returns how many events it read.
 */
export async function followFeed(deps: MailDeps, projectId: string): Promise<number> {
  const { database, clock, newId } = deps;
  return database.transaction(async (tx) => {
    const position = await lockPosition(tx, projectId);
    if (position === undefined) return 0;
    const events = await findFeedEvents(tx, projectId, position, EVENTS_MAX);
    const last = events.at(-1);
    if (!last) return 0;
    const { now } = await findProjectClock(tx, clock, projectId);
    const drafts = events.flatMap(({ type, occurredAt, data }) =>
      decideMails({ type, occurredAt, data: JSON.parse(data) } as FollowedEvent, now).map(
        (draft) => ({ ...draft, projectTime: occurredAt }),
      ),
    );
    const mails = await keepSwitchedOn(tx, projectId, drafts);
    await insertMails(
      tx,
      projectId,
      mails.map(({ participantId: recipientId, ...mail }) => ({
        ...mail,
        id: newId('mail'),
        recipientId,
      })),
      toInstant(clock.nowMs()),
    );
    updatePosition(tx, projectId, last.position);
    return events.length;
  });
}

/** The drafts whose kind is on in their Program, with their Program. */
export async function keepSwitchedOn<D extends MailDraft>(
  tx: Tx,
  projectId: string,
  drafts: readonly D[],
): Promise<D[]> {
  const programs = await listProgramMail(tx, projectId);
  const isAnyOn = (kind: MailDraft['kind']) => programs.some(({ kinds }) => kinds.includes(kind));
  const candidates = drafts.filter(({ kind }) => isAnyOn(kind));
  if (candidates.length === 0) return [];
  const placed = await findPrograms(tx, projectId, candidates);
  return placed.filter(({ kind, programId: id, happenedAt }) =>
    programs.some(
      ({ programId, kinds, switchedOn }) =>
        programId === id &&
        kinds.includes(kind) &&
        (happenedAt === undefined || isSince(switchedOn, kind, happenedAt)),
    ),
  );
}

/** Drafts without a Program get that of their Reward. */
async function findPrograms<D extends MailDraft>(
  tx: Tx,
  projectId: string,
  drafts: readonly D[],
): Promise<D[]> {
  const open = drafts.filter(({ programId }) => programId === null);
  if (open.length === 0) return [...drafts];
  const rewardIds = open.flatMap(({ rewardId }) => rewardId ?? []);
  const byReward = await findProgramsOfRewards(tx, projectId, rewardIds);
  return drafts.flatMap((draft) => {
    const programId = draft.programId ?? byReward.get(draft.rewardId ?? '');
    return programId === undefined ? [] : [{ ...draft, programId }];
  });
}
