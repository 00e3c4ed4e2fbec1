import { findProjectIds, findProjectRef } from '../../accounts/workspaces/queries.ts';
import { findSharing } from '../../domain/participants/names/queries.ts';
import { findPartnerParticipants } from '../../domain/participants/queries.ts';
import type { SignedInPartner } from '../../domain/partners/sign-in/session.ts';
import { findProgram, type ProgramState } from '../../domain/programs/queries.ts';
import type { MoneyTotals } from '../../domain/rewards/decide/reward-figures.ts';
import { findMoneyTotals, listRewardsOf } from '../../domain/rewards/read/list-rewards.ts';
import type { Reward } from '../../domain/rewards/schema.ts';
import { projectNow } from '../../platform/feed/writer/project-clock.ts';
import type { ProjectRef } from '../../platform/http/access/principal.ts';
import { type Brand, brandOf } from './brand.ts';
import { mergeRewards, type RewardsCursor } from './merge-rewards.ts';
import type { PartnerPageDeps } from './partner-page-deps.ts';

/** The partner's participant in one project. */
export interface PartnerProject {
  readonly project: ProjectRef;
  readonly participantId: string;
}

/** One for every project of the partner. */
export async function loadPartnerProjects(
  { database: { reads } }: Pick<PartnerPageDeps, 'database'>,
  { id, workspaceId, environment }: SignedInPartner,
): Promise<PartnerProject[]> {
  const projectIds = await findProjectIds(reads, workspaceId, environment);
  const projects = await findPartnerParticipants(reads, projectIds, id);
  return Promise.all(
    projects.map(async ({ projectId, participantId }) => {
      const project = await findProjectRef(reads, projectId);
      if (!project) throw new Error(`Project ${projectId} does not exist.`);
      return { project, participantId };
    }),
  );
}

export interface OwnLink {
  readonly id: string;
  readonly slug: string;
  readonly url: string;
}

/** A program that a partner joined, with its codes and links. */
export interface JoinedProgram extends PartnerProject {
  readonly id: string;
  readonly name: string;
  readonly brand: Brand;
  readonly hasLeaderboard: boolean;
  /** Whether following a link counts at the moment. */
  readonly standing: 'open' | 'paused' | 'over';
  readonly codes: readonly string[];
  readonly links: readonly OwnLink[];
}

/** All programs of one project, most recently joined first. `workspaceName` is for unnamed brands. */
export async function loadPrograms(
  deps: Pick<PartnerPageDeps, 'database' | 'clock' | 'baseUrl'>,
  { project, participantId }: PartnerProject,
  workspaceName: string,
): Promise<JoinedProgram[]> {
  const { reads } = deps.database;
  const base = { baseUrl: deps.baseUrl, projectKey: project.projectKey };
  const [now, sharing] = await Promise.all([
    projectNow(reads, deps.clock, project),
    findSharing(reads, base, project.id, participantId),
  ]);
  const programIds = [...new Set(sharing.enrollments.map(({ programId }) => programId))];
  const programs = await Promise.all(
    programIds.reverse().map((programId) => findProgram(reads, project.id, programId, now)),
  );
  return programs.flatMap((program): JoinedProgram[] => {
    if (!program) return [];
    const codes = sharing.refCodes.filter(({ programId }) => programId === program.id);
    const codeIds = new Set(codes.map(({ id }) => id));
    const isMember = sharing.enrollments.some(
      ({ programId, endsAt }) => programId === program.id && endsAt === null,
    );
    return [
      {
        project,
        participantId,
        id: program.id,
        name: program.name,
        brand: brandOf(program, workspaceName),
        hasLeaderboard: program.config.partnerLeaderboard === true,
        standing: isMember ? standingOf(program) : 'over',
        codes: codes.map(({ code }) => code),
        links: sharing.links
          .filter(({ refCodeId }) => codeIds.has(refCodeId))
          .flatMap(({ id, slug, url }) => (url === null ? [] : { id, slug, url })),
      },
    ];
  });
}

function standingOf({ status }: ProgramState): JoinedProgram['standing'] {
  if (status === 'active') return 'open';
  return status === 'draft' || status === 'paused' ? 'paused' : 'over';
}

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
