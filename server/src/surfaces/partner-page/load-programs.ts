import { findSharing } from '../../domain/participants/find-participant.ts';
import { findProgram, type ProgramState } from '../../domain/programs/find-program.ts';
import { projectNow } from '../../platform/feed/writer/project-clock.ts';
import type { PartnerProject } from './load-partner-projects.ts';
import type { PartnerPageDeps } from './page-deps.ts';

/** A program that a partner joined, with its code and link. */
export interface JoinedProgram {
  readonly name: string;
  /** Whether following a link counts at the moment. */
  readonly standing: 'open' | 'paused' | 'over';
  readonly codes: readonly string[];
  readonly links: readonly string[];
}

/** All programs of one project, most recently joined first. */
export async function loadPrograms(
  deps: Pick<PartnerPageDeps, 'database' | 'clock' | 'baseUrl'>,
  { project, participantId }: PartnerProject,
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
        name: program.name,
        standing: isMember ? standingOf(program) : 'over',
        codes: codes.map(({ code }) => code),
        links: sharing.links
          .filter(({ refCodeId }) => codeIds.has(refCodeId))
          .flatMap(({ url }) => url ?? []),
      },
    ];
  });
}

function standingOf({ status }: ProgramState): JoinedProgram['standing'] {
  if (status === 'active') return 'open';
  return status === 'draft' || status === 'paused' ? 'paused' : 'over';
}
