import type { Database } from '../db/database.ts';
import { notFound } from '../kit/errors.ts';
import type { ProjectWrite } from './project-write.ts';
import type { BatchDeps } from './run-batch.ts';
import { findHead } from './store.ts';
import { timeOf } from './time-of.ts';

/** What a decision needs, without a way to save what it decided. */
export type ProjectPreview = Pick<
  ProjectWrite,
  'projectId' | 'tx' | 'now' | 'newId' | 'nextNumber'
>;

/**
 * Runs `body` on the Project as it stands, at the time a write would have now. The database
 * itself refuses every write in it. Takes no lock and waits for nobody.
 */
export function previewWrite<A>(
  deps: BatchDeps & { readonly database: Database },
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
      now: timeOf(head, deps.clock),
      newId: deps.newId,
      nextNumber: (list) => {
        numbers[list] = (numbers[list] ?? 0) + 1;
        return numbers[list];
      },
    });
  });
}
