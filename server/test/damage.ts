import { expect } from 'vitest';
import type { Database } from '../src/platform/db/database.ts';
import type { Finding } from '../src/programs/verify/findings.ts';
import { examineProject } from '../src/programs/verify/verify-all.ts';

class Undo extends Error {}

/**
 * What the auditor finds in a Project after a statement that damages it, which is undone. The
 * statement may name the Project as `$1`, and has to return the rows that it changed.
 */
export async function findDamage(
  database: Database,
  projectId: string,
  statement: string,
): Promise<Finding[]> {
  let found: Finding[] = [];
  await database
    .transaction(async (tx) => {
      const rows = await tx.query(statement, statement.includes('$1') ? [projectId] : []);
      expect(rows.length).toBeGreaterThan(0);
      found = (await examineProject(tx, projectId)).kept;
      throw new Undo();
    })
    .catch((error) => {
      if (!(error instanceof Undo)) throw error;
    });
  return found;
}
