import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import { notifyAll } from './store.ts';

const CHANNEL = 'goodword_feed';
/** Hints within this time are sent together. */
const GATHER_MS = 10;
/** PostgreSQL refuses 8,000 bytes or more. */
const PAYLOAD_BYTES_MAX = 7_900;

/** A Project that has new events, and whether some of them wait to be delivered. */
export interface FeedHint {
  readonly projectId: string;
  readonly hasDeliveries: boolean;
}

/**
 * Called with a Project; null means that any Project may have new events, because hints may have
 * been missed. Must not throw, because the writer calls it.
 */
export type HintListener = (hint: FeedHint | null) => void;

/**
 * Notifies all processes on the same database of new events. Hints can be late, repeated or lost:
 * listeners must also poll from time to time.
 */
export interface FeedHints {
  /** Must be called after the commit, never before. */
  notify(hint: FeedHint): void;
  /** Returns the function that unsubscribes. */
  subscribe(listener: HintListener): () => void;
  close(): Promise<void>;
}

export function createFeedHints(database: Database): FeedHints {
  const listeners = new Set<HintListener>();
  const deliver = (hint: FeedHint | null) => {
    for (const listener of listeners) listener(hint);
  };
  const others = database.listen && connectOthers(database, deliver);
  return {
    notify(hint) {
      deliver(hint);
      others?.notify(hint);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      await others?.close();
    },
  };
}

/**
 * The other processes, by LISTEN and NOTIFY. A NOTIFY takes a global lock until its commit, so it
 * is never sent within a write, and never once per commit.
 */
function connectOthers(
  database: Database,
  deliver: HintListener,
): { notify(hint: FeedHint): void; close(): Promise<void> } {
  const self = randomBytes(6).toString('base64url');
  const listener = database.listen?.(CHANNEL, (payload) => {
    if (payload === null) return deliver(null);
    const { sender, hints } = unpackPayload(payload);
    // Hints of this process were already delivered locally.
    if (sender === self) return;
    for (const hint of hints) deliver(hint);
  });
  let waiting = new Map<string, boolean>();
  let sending: Promise<void> | undefined;

  async function send(): Promise<void> {
    while (waiting.size > 0) {
      await delay(GATHER_MS);
      const payloads = packPayloads(self, waiting);
      waiting = new Map();
      // Failures are ignored: all listeners also poll.
      await notifyAll(database.reads, CHANNEL, payloads).catch(() => undefined);
    }
    sending = undefined;
  }

  return {
    notify({ projectId, hasDeliveries }) {
      waiting.set(projectId, hasDeliveries || waiting.get(projectId) === true);
      sending ??= send();
    },
    async close() {
      await Promise.all([listener?.close(), sending]);
    },
  };
}

const DELIVERIES_MARK = '+';

/** The sender and the Projects, in as many payloads as they need. */
export function packPayloads(sender: string, hints: ReadonlyMap<string, boolean>): string[] {
  const payloads: string[] = [];
  let payload = sender;
  for (const [projectId, hasDeliveries] of hints) {
    const word = ` ${projectId}${hasDeliveries ? DELIVERIES_MARK : ''}`;
    if (Buffer.byteLength(payload) + Buffer.byteLength(word) > PAYLOAD_BYTES_MAX) {
      payloads.push(payload);
      payload = sender;
    }
    payload += word;
  }
  return [...payloads, payload];
}

export function unpackPayload(payload: string): { sender: string; hints: FeedHint[] } {
  const [sender = '', ...words] = payload.split(' ');
  const hints = words.map((word) => {
    const hasDeliveries = word.endsWith(DELIVERIES_MARK);
    return { projectId: hasDeliveries ? word.slice(0, -1) : word, hasDeliveries };
  });
  return { sender, hints };
}
