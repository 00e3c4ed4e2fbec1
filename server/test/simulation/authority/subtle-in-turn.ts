/** Work of web crypto that has not ended: time stands still meanwhile. */
let pending = 0;
let last: Promise<unknown> = Promise.resolve();

export const isCrypting = (): boolean => pending > 0;

type Work = (...args: unknown[]) => Promise<unknown>;

/**
 * Web crypto works in other threads. One call after the other is begun, so that they end in the order in which they
 * were made.
 */
export function installSubtle(): void {
  const subtle = globalThis.crypto.subtle as unknown as Record<string, Work>;
  for (const name of ['importKey', 'sign', 'verify', 'digest']) {
    const really = subtle[name]?.bind(subtle) as Work;
    subtle[name] = (...args) => {
      pending += 1;
      const done = last
        .then(() => really(...args))
        .finally(() => {
          pending -= 1;
        });
      last = done.catch(() => undefined);
      return done;
    };
  }
}
