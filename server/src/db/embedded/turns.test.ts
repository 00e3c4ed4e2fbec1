import { describe, expect, it } from 'vitest';
import { Turns } from './turns.ts';

describe('Turns', () => {
  it('serves callers one at a time, in the order they asked', async () => {
    const turns = new Turns();
    const seen: string[] = [];
    const work = (name: string) =>
      turns.run(async () => {
        seen.push(`${name} starts`);
        await Promise.resolve();
        seen.push(`${name} ends`);
      });

    await Promise.all([work('a'), work('b'), work('c')]);

    expect(seen).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends']);
  });

  it('goes on after a failure', async () => {
    const turns = new Turns();
    const failing = turns.run(() => Promise.reject(new Error('no')));
    const next = turns.run(async () => 'served');

    await expect(failing).rejects.toThrow('no');
    await expect(next).resolves.toBe('served');
  });

  it('lets timers run while turns follow one another without a pause', async () => {
    const turns = new Turns();
    let fired = false;
    setTimeout(() => {
      fired = true;
    }, 1);

    // Without the pause this loop would never leave the microtask queue, and never end.
    while (!fired) await turns.run(async () => undefined);

    expect(fired).toBe(true);
  });
});
