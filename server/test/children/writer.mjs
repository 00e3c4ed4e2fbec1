// Writes notes to one Project from a process of its own, or stalls in the middle of a write.
// usage: writer.mjs <database url> <project id> <name> <count | stall>
import { createDatabase } from '../../dist/db/database.js';
import { openPostgres } from '../../dist/db/postgres.js';
import { createFeedHints } from '../../dist/feed/hints.js';
import { createProjectWriter } from '../../dist/feed/writer.js';
import { makeNewId } from '../../dist/kit/ids.js';
import { queueDeliveries } from '../../dist/webhooks/queue-deliveries.js';

const [url, projectId, name, mode] = process.argv.slice(2);
const database = createDatabase(
  openPostgres({ connectionString: url, poolSize: 4, onIdleError: () => undefined }),
);
const hints = createFeedHints(database);
const writer = createProjectWriter({
  onAppend: hints.tell,
  fanOut: queueDeliveries,
  database,
  clock: { nowMs: () => Date.now() },
  newId: makeNewId(() => Date.now()),
  queueMax: 100_000,
});
const request = {
  workspaceId: 'ws_test',
  projectId,
  actor: { type: 'system', id: name },
  requestId: 'req_test',
  ip: null,
  idempotency: null,
};
const noteHandler = {
  name: 'note',
  batchMax: 20,
  repeatable: false,
  run: async (write, commands) =>
    commands.map(({ input }) => {
      write.append('participant.created', { text: input });
      return { answer: write.nextNumber('notes') };
    }),
};

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
      writer.submit(noteHandler, request, `${name}-${n}`),
    ),
  );
}
await hints.close();
await database.close();
process.exit(0);
