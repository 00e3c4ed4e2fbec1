import { findFiguresOfPart } from '../../../platform/figures/figures.ts';
import { REFERRED } from '../../../platform/figures/tally.ts';
import { listTopReferrers } from '../../views/figures/list-top-referrers.ts';
import type { JoinedProgram } from '../load-partner.ts';
import type { PartnerPageDeps } from '../partner-page-deps.ts';
import { decideLeaderboard, LEADERS_MAX, type Leaderboard } from './decide-leaderboard.ts';

/** Some may be erased. */
const LOADED = 2 * LEADERS_MAX;

/** How many a partner referred in a program. */
export async function loadReferrals(
  { database: { reads } }: Pick<PartnerPageDeps, 'database'>,
  { project, participantId, id }: Pick<JoinedProgram, 'project' | 'participantId' | 'id'>,
): Promise<number> {
  const figures = await findFiguresOfPart(reads, project.id, participantId, id);
  return Number(figures.find(({ name }) => name === REFERRED)?.value ?? 0n);
}

/** From figures alone; null if the operator has not turned it on, or too few take part. */
export async function loadLeaderboard(
  deps: Pick<PartnerPageDeps, 'database'>,
  program: JoinedProgram,
  referrals: number,
): Promise<Leaderboard | null> {
  if (!program.hasLeaderboard || program.standing === 'over') return null;
  const asked = { programId: program.id, limit: LOADED };
  const top = await listTopReferrers(deps, program.project.id, () => true, asked);
  const leaders = top.map(({ participant, referrals: count }) => ({
    participantId: participant.participantId,
    name: participant.deletedAt === null ? participant.name : null,
    referrals: count,
  }));
  return decideLeaderboard(leaders, { participantId: program.participantId, referrals });
}
