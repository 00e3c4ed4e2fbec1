import { setTimeout as delay } from 'node:timers/promises';
import type { Shop } from './shop.ts';

const CLIENTS = 4;

/** What callers were told is saved. */
export interface Acknowledged {
  readonly shop: Shop;
  readonly eventId: string;
}

export interface Load {
  readonly acknowledged: readonly Acknowledged[];
  /** Lets every caller finish what it is at, however long the service is down. */
  stop(): Promise<void>;
}

let loads = 0;

/**
 * Callers of each Shop that tell facts one after another, each again until it is taken: new people
 * sign up by ada's link, and bob buys.
 */
export function startLoad(shops: readonly Shop[], { pauseMs = 20 } = {}): Load {
  loads += 1;
  const name = `load${loads}`;
  const acknowledged: Acknowledged[] = [];
  let isStopping = false;

  async function run(shop: Shop, client: number): Promise<void> {
    for (let count = 0; !isStopping; count += 1) {
      const fact = `${name}-${client}-${count}`;
      const eventId = await (count % 4 === 0 ? shop.signUp(fact) : shop.order(fact));
      acknowledged.push({ shop, eventId });
      await delay(pauseMs);
    }
  }

  const running = shops.flatMap((shop) =>
    Array.from({ length: CLIENTS }, (_, client) => run(shop, client)),
  );
  // What went wrong is told at the stop.
  for (const one of running) one.catch(() => undefined);
  return {
    acknowledged,
    async stop() {
      isStopping = true;
      await Promise.all(running);
    },
  };
}
