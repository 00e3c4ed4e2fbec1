import { invalid } from '../kit/errors.ts';
import { listRewardAdjustments } from './adjustment-store.ts';
import type { RewardDeps } from './reward-deps.ts';
import type { RewardAdjustment } from './schema.ts';

const PAGE = 100;
const CURSOR = /^adjustments (0|[1-9][0-9]{0,14})$/;

function encode(number: number): string {
  return Buffer.from(`adjustments ${number}`).toString('base64url');
}

function decode(cursor: string): number {
  const match = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('utf8'));
  if (!match) throw invalid('after', 'is not a cursor of this list');
  return Number(match[1]);
}

/**
 * The newest, newest first; or, after a cursor, what came since, oldest first. `next` goes
 * on behind the newest one that was seen. Ends with INVALID_REQUEST for a bad cursor.
 */
export async function listAdjustments(
  deps: RewardDeps,
  projectId: string,
  after: string | undefined,
): Promise<{ success: true; data: RewardAdjustment[]; next: string }> {
  const from = after === undefined ? null : decode(after);
  const rows = await listRewardAdjustments(deps.database.reads, projectId, from, PAGE);
  const newest = rows.reduce((highest, { number }) => Math.max(highest, number), from ?? 0);
  return {
    success: true,
    data: rows.map(({ number, ...adjustment }) => adjustment),
    next: encode(newest),
  };
}
