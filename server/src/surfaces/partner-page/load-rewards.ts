import { findProgram } from '../../domain/programs/find-program.ts';
import type { MoneyTotals } from '../../domain/rewards/decide/reward-figures.ts';
import { findMoneyTotals, listRewardsOf } from '../../domain/rewards/read/rewards-of.ts';
import type { Reward } from '../../domain/rewards/schema.ts';
import type { PartnerProject } from './load-partner-projects.ts';
import { mergeRewards, type RewardsCursor } from './merge-rewards.ts';
import type { PartnerPageDeps } from './page-deps.ts';

export interface EarnedReward {
  readonly reward: Reward;
  readonly programName: string;
}

export interface EarnedPage {
  readonly rewards: readonly EarnedReward[];
  readonly next: RewardsCursor | null;
}

type Deps = Pick<PartnerPageDeps, 'database' | 'clock' | 'findPayable'>;

/** One page of a partner's rewards in all its projects, newest first. */
export async function loadRewards(
  { database: { reads }, clock, findPayable }: Deps,
  projects: readonly PartnerProject[],
  cursor: RewardsCursor,
  limit: number,
): Promise<EarnedPage> {
  const earned = await Promise.all(
    projects.map(async ({ project, participantId }) => {
      const below = cursor.get(project.id) ?? null;
      const deps = { reads, clock, findPayable };
      const page = { below, limit: limit + 1 };
      const rewards = await listRewardsOf(deps, project, participantId, page);
      return { projectId: project.id, rewards };
    }),
  );
  const { shown, next } = mergeRewards(earned, cursor, limit);
  const programs = new Map(shown.map(({ reward }) => [reward.programId, reward]));
  const names = new Map(
    await Promise.all(
      [...programs.values()].map(async ({ projectId, programId, earnedAt }) => {
        const program = await findProgram(reads, projectId, programId, earnedAt);
        return [programId, program?.name ?? ''] as const;
      }),
    ),
  );
  return {
    rewards: shown.map(({ reward }) => ({
      reward,
      programName: names.get(reward.programId) ?? '',
    })),
    next,
  };
}

/** A partner's earned and paid totals by currency, over all its projects. */
export async function loadTotals(
  { database: { reads } }: Pick<Deps, 'database'>,
  projects: readonly PartnerProject[],
): Promise<MoneyTotals[]> {
  const all = await Promise.all(
    projects.map(({ project, participantId }) => findMoneyTotals(reads, project.id, participantId)),
  );
  const totals = new Map<string, MoneyTotals>();
  for (const one of all.flat()) {
    const known = totals.get(one.currency);
    totals.set(one.currency, {
      currency: one.currency,
      earnedMinor: (known?.earnedMinor ?? 0n) + one.earnedMinor,
      paidMinor: (known?.paidMinor ?? 0n) + one.paidMinor,
    });
  }
  return [...totals.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
}
