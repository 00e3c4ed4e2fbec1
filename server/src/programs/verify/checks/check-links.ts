import { difference } from '../finding.ts';
import { LINKED_COLUMNS, listBroken } from '../stores/link-store.ts';
import type { Look } from './look.ts';

/** What a row names is there. */
export async function checkLinks(look: Look): Promise<void> {
  for (const [index, column] of LINKED_COLUMNS.entries()) {
    const broken = await listBroken(look.tx, look.projectId, column);
    look.report(
      broken.map(({ id, named }) =>
        difference(column.subject, id, column.column, {
          stored: named,
          expected: `the id of one of ${column.target}`,
        }),
      ),
    );
    look.progress('references', index + 1, LINKED_COLUMNS.length);
  }
}
