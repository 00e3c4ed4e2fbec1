import { authority } from './current.ts';

/** Work of web crypto that has not ended: time stands still meanwhile. */
let pending = 0;

export const isCrypting = (): boolean => pending > 0;

type Work = (...args: unknown[]) => Promise<unknown>;

/**
 * Web crypto works in other threads. In a world its result arrives as a timer fires that was set with the call, so that
 * the order of results does not depend on the machine.
 */
export function installSubtle(): void {
  const subtle = globalThis.crypto.subtle as unknown as Record<string, Work>;
  for (const name of ['importKey', 'sign', 'verify', 'digest']) {
    const really = subtle[name]?.bind(subtle) as Work;
    subtle[name] = (...args) => {
      pending += 1;
      const done = really(...args).finally(() => {
        pending -= 1;
      });
      const world = authority();
      if (!world) return done;
      done.catch(() => undefined);
      return new Promise((resolve) => {
        world.time.addTimer(() => resolve(done), 0);
      });
    };
  }
}
