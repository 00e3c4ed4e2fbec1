import { setTimeout as delay } from 'node:timers/promises';
import type { Fleet } from './fleet.ts';
import type { Acknowledged } from './load.ts';
import type { Shop } from './shop.ts';

const CALLERS = 4;

/** A call as a shop makes it. */
interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly status?: number;
}

export interface Traffic {
  /** Calls that were not answered as they should be, one line each. */
  readonly failures: readonly string[];
  /** How many of each kind were answered. */
  readonly answered: ReadonlyMap<string, number>;
  readonly acknowledged: readonly Acknowledged[];
  stop(): Promise<void>;
}

const person = (externalId: string) => ({ kind: 'individual', externalId });

/**
 * Callers that do, one thing after another, all that a shop does while people come: links are
 * followed, browsers land, they are identified, people sign up and buy, lists and the feed are read.
 * `repeats`: what fails is asked again until it is answered, and its failure told all the same.
 */
export function startTraffic(fleet: Fleet, shop: Shop, { repeats = false } = {}): Traffic {
  const { projectId, projectKey, key } = shop.project;
  const failures: string[] = [];
  const answered = new Map<string, number>();
  const acknowledged: Acknowledged[] = [];
  let isStopping = false;

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  async function ask(kind: string, call: Call): Promise<any> {
    const { status: expected = 200, body, path, method } = call;
    while (true) {
      let outcome: string;
      try {
        const answer = await fetch(fleet.front + path, {
          method,
          redirect: 'manual',
          headers: { 'content-type': 'application/json', 'x-api-key': key },
          ...(body === undefined ? {} : { body: JSON.stringify({ projectId, ...body }) }),
        });
        const text = await answer.text();
        if (answer.status === expected) {
          answered.set(kind, (answered.get(kind) ?? 0) + 1);
          return text === '' ? undefined : JSON.parse(text);
        }
        outcome = `${answer.status} ${text}`;
      } catch (error) {
        const { message, cause } = error as Error;
        outcome = `${message} ${(cause as Error | undefined)?.message}`;
      }
      failures.push(`${kind}: ${method} ${path}: ${outcome}`);
      if (!repeats) throw new Error(outcome);
      await delay(20);
    }
  }

  const post = (kind: string, path: string, body: object) =>
    ask(kind, { method: 'POST', path, body });
  const read = (path: string) =>
    ask('read', { method: 'GET', path: `${path}projectId=${projectId}` });

  async function visit(name: string): Promise<void> {
    await ask('link', { method: 'GET', path: `/l/${projectKey}/ada`, status: 302 });
    const url = 'https://example.com/';
    // The public route knows the Project by its key.
    const landing = { projectId: undefined, projectKey, ref: 'ada', url };
    const { handle } = await post('click', '/v1/clicks', landing);
    await post('identify', '/v1/identify', { handle, participant: person(name) });
    await tell('signup', { type: 'signup', participant: person(name), identify: { handle } });
    const purchase = { amountMinor: '1000', currency: 'USD' };
    const order = { type: 'purchase', participant: person(name), sourceEventId: name, purchase };
    await tell('purchase', order);
    await ask('upsert', {
      method: 'PUT',
      path: '/v1/participants',
      body: { participant: person(name), name },
    });
    // Nothing follows from it; but nginx does not know that, and sends it to one process only.
    const { sourceNamespaceId } = shop;
    await post('simulation', '/v1/simulations/events', { sourceNamespaceId, ...order });
    await read('/v1/rewards?limit=10&');
    await read('/v1/webhook-events?limit=10&');
  }

  async function tell(kind: string, fact: object): Promise<void> {
    const { sourceNamespaceId } = shop;
    const { eventId } = await post(kind, '/v1/track/events', { sourceNamespaceId, ...fact });
    acknowledged.push({ shop, eventId });
  }

  async function run(caller: number): Promise<void> {
    for (let count = 0; !isStopping; count += 1) {
      // One call that fails is enough to know of.
      await visit(`${projectId}-${caller}-${count}-${acknowledged.length}`).catch(() => undefined);
      await delay(20);
    }
  }

  const running = Array.from({ length: CALLERS }, (_, caller) => run(caller));
  return {
    failures,
    answered,
    acknowledged,
    async stop() {
      isStopping = true;
      await Promise.all(running);
    },
  };
}
