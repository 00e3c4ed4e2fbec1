import { setTimeout as delay } from 'node:timers/promises';
import type { OpenStream } from '../http/routes/route.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { FeedWatch } from './feed-watch.ts';
import { assertReached, type FeedDeps, readEvents } from './list-events.ts';
import type { FeedProject } from './render-event.ts';

/** Few, since a reader that stops reading leaves so many in memory. */
const PAGE = 100;
/**
 * A reader that has all there is looks again after this time at the earliest, however many commits
 * there are: a busy Project is read in pages, not event by event.
 */
const GATHER_MS = 20;

export interface StreamQuery {
  /** Where to begin, and where the caller named it; null for the oldest event. */
  readonly after: { readonly cursor: string; readonly path: string } | null;
  readonly apiVersion: string;
}

/**
 * A Project's feed from a cursor on, as it is written: the very events of `listEvents`, each with
 * the cursor to go on behind it. Ends with INVALID_REQUEST for a cursor that is not of this feed,
 * or that lies ahead of it.
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
