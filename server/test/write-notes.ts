import type { Database } from '../src/platform/db/database.ts';
import { openFeed } from '../src/platform/feed/queries.ts';
import { listFeedEvents } from '../src/platform/feed/store.ts';
import type { Handler } from '../src/platform/feed/writer/project-write.ts';
import type { WriteRequest } from '../src/platform/http/access/principal.ts';
import { AppError } from '../src/platform/kit/errors.ts';

let requests = 0;

export function requestFor(projectId: string, keyHash?: string): WriteRequest {
  requests += 1;
  return {
    workspaceId: 'ws_test',
    projectId,
    actor: { type: 'system', id: 'test' },
    requestId: `req_${requests}`,
    ip: null,
    idempotency: keyHash === undefined ? null : { keyHash, bodyHash: 'same' },
  };
}

export interface Note {
  readonly text: string;
  /** How the command goes wrong, if it does. */
  readonly fault?: 'refused' | 'throws' | 'sql';
}

/**
 * The smallest handler with all the writer offers: each note gets a number and an event.
 * It stands in for the real ones, which share the writer's promises and nothing else.
 */
export const noteHandler: Handler<Note, { number: number; at: string }> = {
  name: 'note',
  batchMax: 20,
  repeatable: false,
  async run(write, commands) {
    const outcomes = [];
    for (const { input } of commands) {
      if (input.fault === 'throws') throw new Error('poisoned');
      if (input.fault === 'sql') write.tx.send('select 1 / 0');
      if (input.fault === 'refused') {
        outcomes.push({ refused: new AppError('CONFLICT', 'Refused.') });
        continue;
      }
      write.append('participant.created', { text: input.text });
      outcomes.push({ answer: { number: write.nextNumber('notes'), at: write.now } });
    }
    return outcomes;
  },
};

export async function newHead(database: Database, projectId: string): Promise<void> {
  await database.transaction((tx) => openFeed(tx, projectId, '2026-11-15T00:00:00.000Z'));
}

export async function readNotes(
  database: Database,
  projectId: string,
): Promise<{ position: number; text: string; at: string }[]> {
  const rows = await listFeedEvents(database.reads, projectId, 0, 100_000);
  return rows.map((row) => ({
    position: row.position,
    text: JSON.parse(row.data).text as string,
    at: row.occurredAt,
  }));
}
