import type { Queryable } from '../../../platform/db/driver.ts';
import { findListLength } from '../../../platform/feed/queries.ts';
import { invalid } from '../../../platform/kit/errors.ts';
import { listRewardAdjustments, type RewardDeps } from '../queries.ts';
import type { ListAdjustments, RewardAdjustment } from '../schema.ts';

const PAGE = 100;
const ALL = { rewardId: null, participantId: null };
/** The cursor before the first adjustment. */
const START = 'start';
const CURSOR = /^adjustments (\S+) (0|[1-9][0-9]{0,14})$/;

function encode(projectId: string, number: number): string {
  return Buffer.from(`adjustments ${projectId} ${number}`).toString('base64url');
}

/** A cursor of another Project, or beyond the end, would skip adjustments. */
function decode(projectId: string, length: number, cursor: string): number {
  if (cursor === START) return 0;
  const match = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('utf8'));
  const number = Number(match?.[2]);
  if (match?.[1] !== projectId || number > length) {
    throw invalid('after', 'is not a cursor of this list');
  }
  return number;
}

/**
 * The newest, newest first; or, after a cursor, what was added since, oldest first. `next`
 * continues after the newest one seen; if nothing was added, it is the cursor that was sent. Fails
 * with INVALID_REQUEST for a bad cursor.
 */
export async function listAdjustments(
  deps: RewardDeps,
  projectId: string,
  { after, rewardId, beneficiaryParticipantId }: ListAdjustments,
): Promise<{ success: true; data: RewardAdjustment[]; next: string }> {
  const { reads } = deps.database;
  const length =
    after === undefined ? 0 : await findListLength(reads, projectId, 'rewardAdjustments');
  const from = after === undefined ? null : decode(projectId, length, after);
  const filter = {
    rewardId: rewardId ?? null,
    participantId: beneficiaryParticipantId ?? null,
  };
  const rows = await listRewardAdjustments(reads, projectId, filter, { after: from, limit: PAGE });
  const newest = rows.reduce((highest, { number }) => Math.max(highest, number), from ?? 0);
  return {
    success: true,
    data: rows.map(({ number, ...adjustment }) => adjustment),
    next: after !== undefined && rows.length === 0 ? after : encode(projectId, newest),
  };
}

/** All of them, oldest first, a page at a time. */
export async function* walkAdjustments(
  db: Queryable,
  projectId: string,
  size: number,
): AsyncGenerator<RewardAdjustment[]> {
  for (let after = 0; ; ) {
    const rows = await listRewardAdjustments(db, projectId, ALL, { after, limit: size });
    yield rows.map(({ number, ...adjustment }) => adjustment);
    const last = rows.at(-1);
    if (!last || rows.length < size) return;
    after = last.number;
  }
}
