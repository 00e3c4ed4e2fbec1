// Writes notes to one Project from a process of its own, or stalls in the middle of a write.
// usage: writer.ts <database url> <project id> <name> <count | stall>

import { queueDeliveries } from '../../src/outbound/webhooks/queue/queue-deliveries.ts';
import { createDatabase } from '../../src/platform/db/database.ts';
import { openPostgres } from '../../src/platform/db/postgres.ts';
import { createFeedHints } from '../../src/platform/feed/hints.ts';
import { createProjectWriter } from '../../src/platform/feed/writer/writer.ts';
import { makeNewId } from '../../src/platform/kit/ids.ts';
import { noteHandler, requestFor } from '../write-notes.ts';

const [url, projectId, name, mode] = process.argv.slice(2) as [string, string, string, string];
const database = createDatabase(
  openPostgres({ connectionString: url, poolSize: 4, onIdleError: () => undefined }),
);
const hints = createFeedHints(database);
const writer = createProjectWriter({
  onAppend: hints.notify,
  fanOut: queueDeliveries,
  database,
  clock: { nowMs: () => Date.now() },
  newId: makeNewId(() => Date.now()),
  queueMax: 100_000,
});
const request = requestFor(projectId);

if (mode === 'stall') {
  let stalled = false;
  await writer.run(request, async (write) => {
    write.append('participant.created', { text: name });
    if (!stalled) {
      stalled = true;
      process.stdout.write('locked\n');
      await new Promise((resolve) => process.stdin.once('data', resolve));
    }
    return { answer: null };
  });
} else {
  await Promise.all(
    Array.from({ length: Number(mode) }, (_, n) =>
      writer.submit(noteHandler, request, { text: `${name}-${n}` }),
    ),
  );
}
await hints.close();
await database.close();
process.exit(0);
