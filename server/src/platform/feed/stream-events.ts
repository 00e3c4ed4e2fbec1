import { setTimeout as delay } from 'node:timers/promises';
import type { OpenStream } from '../http/routes/route.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { FeedWatch } from './feed-watch.ts';
import { assertReached, type FeedDeps, readEvents } from './list-events.ts';
import type { FeedProject } from './render-event.ts';

/** Few, because a reader that stops reading leaves this many in memory. */
const PAGE = 100;
/**
 * A reader that is up to date reads again after this time at the earliest, whatever the number of
 * commits: a busy Project is read in pages, not event by event.
 */
const GATHER_MS = 20;

export interface StreamQuery {
  /** Where to begin, and the field of the request; null for the oldest event. */
  readonly after: { readonly cursor: string; readonly path: string } | null;
  readonly apiVersion: string;
}

/**
 * A Project's feed after a cursor, as it is written: the same events as `listEvents`, each with the
 * cursor to continue after it. Fails with INVALID_REQUEST for a cursor that is not of this feed, or
 * is ahead of it.
 */
export async function streamEvents(
  deps: FeedDeps & { readonly watch: FeedWatch },
  project: FeedProject,
  { after, apiVersion }: StreamQuery,
): Promise<OpenStream> {
  const { reads, keyring } = deps;
  const path = after?.path ?? '';
  const start = after === null ? 0 : decodeCursor(keyring, project.id, after.cursor, path);
  await assertReached(reads, project.id, start, path);

  return async function* (stopping) {
    const watcher = deps.watch.enter(project.id);
    const wake = () => watcher.wake();
    stopping.addEventListener('abort', wake);
    try {
      let position = start;
      while (!stopping.aborted) {
        watcher.listen();
        const events = await readEvents(deps, project, position, { limit: PAGE, apiVersion });
        position = events.at(-1)?.position ?? position;
        if (events.length > 0) {
          yield events.map(({ position: at, type, text }) => ({
            id: encodeCursor(keyring, project.id, at),
            type,
            data: text,
          }));
        } else {
          await assertReached(reads, project.id, position, path);
        }
        if (events.length === PAGE) continue;
        await delay(GATHER_MS, undefined, { signal: stopping }).catch(() => undefined);
        await watcher.wait();
      }
    } finally {
      stopping.removeEventListener('abort', wake);
      watcher.leave();
    }
  };
}
