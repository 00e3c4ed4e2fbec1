import type { Progress } from '../../../domain/rewards/decide/decide-progress.ts';
import { findProgress } from '../../../domain/tracking/read/find-progress.ts';
import type { JoinedProgram } from '../load-partner.ts';
import type { PartnerPageDeps } from '../partner-page-deps.ts';
import type { TermsNow } from './load-terms.ts';

/** Where a partner is in the terms of a program that grow; nothing once it is over. */
export async function loadProgress(
  { database: { reads } }: Pick<PartnerPageDeps, 'database'>,
  { project, participantId, id, standing }: JoinedProgram,
  { inForce, now }: Pick<TermsNow, 'inForce' | 'now'>,
): Promise<Progress[]> {
  if (standing === 'over') return [];
  const asked = { projectId: project.id, programId: id, participantId, now };
  return findProgress(reads, asked, inForce);
}
