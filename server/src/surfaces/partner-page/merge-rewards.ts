import type { NumberedReward } from '../../domain/rewards/read/list-rewards.ts';

/** By project: only rewards with lower numbers are still to be shown. */
export type RewardsCursor = ReadonlyMap<string, number>;

export interface ProjectRewards {
  readonly projectId: string;
  /** Its newest below the cursor: at least one more than the page size, if there are as many. */
  readonly rewards: readonly NumberedReward[];
}

export interface RewardsPage {
  readonly shown: readonly NumberedReward[];
  /** Null after the last page. */
  readonly next: RewardsCursor | null;
}

/** One page, newest first, of a partner's rewards in several projects. */
export function mergeRewards(
  projects: readonly ProjectRewards[],
  cursor: RewardsCursor,
  limit: number,
): RewardsPage {
  const all = projects.flatMap(({ projectId, rewards }) =>
    rewards.map((one) => ({ projectId, one })),
  );
  // Within a project by number, which is also the order of time: so a page is a prefix of each
  // list.
  all.sort(
    (a, b) =>
      compare(b.one.reward.earnedAt, a.one.reward.earnedAt) ||
      compare(a.projectId, b.projectId) ||
      b.one.number - a.one.number,
  );
  const page = all.slice(0, limit);
  const next = new Map(cursor);
  for (const { projectId, one } of page) next.set(projectId, one.number);
  return { shown: page.map(({ one }) => one), next: all.length > limit ? next : null };
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const PLACE = /^(prj_[0-9a-z]{26}):([1-9][0-9]{0,14})$/;

export function writeRewardsCursor(cursor: RewardsCursor): string {
  const text = [...cursor].map(([projectId, number]) => `${projectId}:${number}`).join(' ');
  return Buffer.from(text).toString('base64url');
}

/** Undefined if it is invalid. */
export function readRewardsCursor(text: string): RewardsCursor | undefined {
  const places = Buffer.from(text, 'base64url').toString('utf8').split(' ');
  const read = places.map((place) => PLACE.exec(place));
  if (read.some((match) => match === null)) return undefined;
  return new Map(read.map((match) => [match?.[1] as string, Number(match?.[2])]));
}
