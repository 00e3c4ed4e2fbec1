import type { Database } from '../../db/database.ts';
import type { Clock } from '../../kit/clock.ts';
import { notFound } from '../../kit/errors.ts';
import type { NewId } from '../../kit/ids.ts';
import { findHead } from '../store.ts';
import { timeOf } from './project-clock.ts';
import type { ProjectWrite } from './project-write.ts';

export interface PreviewDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** What a decision needs, without the means to save it. */
export type ProjectPreview = Pick<
  ProjectWrite,
  'projectId' | 'tx' | 'now' | 'newId' | 'config' | 'nextNumber'
>;

/**
 * Runs `body` on the current state of the Project, at the time a write would have now. The database
 * itself refuses every write in it. Takes no lock and waits for nothing.
 */
export function previewWrite<A>(
  deps: PreviewDeps,
  projectId: string,
  body: (preview: ProjectPreview) => Promise<A>,
): Promise<A> {
  return deps.database.snapshot(async (tx) => {
    const head = await findHead(tx, projectId);
    if (!head) throw notFound('project');
    const numbers: Record<string, number> = { ...head.numbers };
    return body({
      projectId,
      tx,
      now: timeOf(head, deps.clock.nowMs()),
      newId: deps.newId,
      config: (part) => part.load(tx, projectId),
      nextNumber: (list) => {
        numbers[list] = (numbers[list] ?? 0) + 1;
        return numbers[list];
      },
    });
  });
}
