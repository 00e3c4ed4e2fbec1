import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Listener } from './driver.ts';

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 10_000;
/** Routers drop idle connections, and their end would go unnoticed. */
const PING_MS = 30_000;
const PING_TIMEOUT_MS = 10_000;

/**
 * Listens on a dedicated connection, and reconnects until it is closed. `onMessage` gets null
 * whenever it starts listening: earlier messages are unknown.
 */
export function openListener(
  config: pg.ClientConfig,
  channel: string,
  onMessage: (payload: string | null) => void,
  onLost: (error: Error) => void,
): Listener {
  const closing = new AbortController();
  const rest = (ms: number, signal: AbortSignal) =>
    delay(ms, undefined, { signal, ref: false }).catch(() => undefined);

  /** Runs until it is closed; throws the error that broke the connection. */
  async function listenOn(client: pg.Client, onBegin: () => void): Promise<void> {
    const broken = new AbortController();
    client.on('error', (error) => broken.abort(error));
    client.on('end', () => broken.abort(new Error('The connection has ended.')));
    await client.connect();
    client.on('notification', ({ payload = '' }) => onMessage(payload));
    await client.query(`listen ${channel}`);
    onBegin();
    onMessage(null);
    const over = AbortSignal.any([closing.signal, broken.signal]);
    while (true) {
      await rest(PING_MS, over);
      if (over.aborted) break;
      await client.query('select 1');
    }
    if (!closing.signal.aborted) throw broken.signal.reason;
    await client.end();
  }

  async function run(): Promise<void> {
    let waitMs = FIRST_WAIT_MS;
    while (!closing.signal.aborted) {
      const client = new pg.Client({ ...config, query_timeout: PING_TIMEOUT_MS });
      try {
        await listenOn(client, () => {
          waitMs = FIRST_WAIT_MS;
        });
      } catch (error) {
        client.end().catch(() => undefined);
        if (!closing.signal.aborted) onLost(error as Error);
        await rest(waitMs, closing.signal);
        waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
      }
    }
  }

  const running = run();
  return {
    close() {
      closing.abort();
      return running;
    },
  };
}
