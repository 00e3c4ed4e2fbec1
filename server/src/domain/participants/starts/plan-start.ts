import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import { saveFigures } from '../../../platform/figures/figures.ts';
import { AppError, invalid } from '../../../platform/kit/errors.ts';
import { findStarts } from '../queries.ts';
import type { StartingMeasures } from '../schema.ts';
import { updateStarts } from './start-store.ts';
import { checkStart, decideStarts, startFigures } from './starting-measures.ts';

/** What will be set. */
export interface StartPlan {
  readonly isChange: boolean;
  /** Called once the participant exists. */
  readonly save: (write: ProjectWrite, participantId: string) => void;
}

/**
 * Decides the starting measures of a participant in a Program; `participantId` is null for one that does not exist yet.
 * Throws the reason for a refusal, and writes nothing.
 */
export async function planStart(
  { tx, projectId, now }: ProjectWrite,
  programId: string,
  participantId: string | null,
  given: StartingMeasures,
): Promise<StartPlan> {
  const issues = checkStart(given);
  if (issues.length > 0) {
    throw new AppError('INVALID_REQUEST', 'The starting measures are not valid.', {
      details: issues,
    });
  }
  const before = participantId === null ? [] : await findStarts(tx, projectId, participantId);
  const starts = decideStarts(before, { programId, importedAt: now }, given);
  if (starts === 'differs') {
    throw invalid(
      'startingMeasures',
      'differs from the participant’s existing starting measures in this Program, which are set once',
    );
  }
  return {
    isChange: starts !== before,
    save: (write, id) => {
      if (starts === before) return;
      updateStarts(write.tx, write.projectId, id, { starts, now: write.now });
      const added = starts.filter((one) => !before.includes(one));
      saveFigures(
        write.tx,
        write.projectId,
        added.flatMap((one) => startFigures(id, one)),
      );
    },
  };
}

/** Takes what was carried over out of the figures of a participant whose row is erased next. */
export async function eraseStarts(
  { tx, projectId }: ProjectWrite,
  participantId: string,
): Promise<void> {
  const starts = await findStarts(tx, projectId, participantId);
  const figures = starts.flatMap((one) => startFigures(participantId, one));
  saveFigures(
    tx,
    projectId,
    figures.map((one) => ({ ...one, value: -one.value })),
  );
}
