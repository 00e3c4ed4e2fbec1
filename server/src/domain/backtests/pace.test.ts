import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Loop, Pace, shareBeside } from './pace.ts';

test('work in the background has all of a quiet loop, and a small part of a busy one', () => {
  expect([0, 0.05].map(shareBeside)).toEqual([1, 1]);
  const others = fc.double({ min: 0.1, max: 1, noNaN: true });
  fc.assert(
    fc.property(others, others, (a, b) => {
      const [less, more] = [Math.min(a, b), Math.max(a, b)];
      expect(shareBeside(less)).toBeGreaterThanOrEqual(shareBeside(more));
      expect(shareBeside(a)).toBeGreaterThan(0);
      expect(shareBeside(a)).toBeLessThan(0.25);
    }),
  );
});

/** A loop in virtual time, with other work that needs a part of the time and waits while the loop is taken. */
class SimulatedLoop implements Loop {
  others: number;
  #now = 0;
  #active = 0;
  #waiting = 0;

  constructor(others: number) {
    this.others = others;
  }

  nowMs = () => this.#now;
  activeMs = () => this.#active;

  async yieldNow(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = 0;
    this.work(waiting);
  }

  /** At least a millisecond, as timers. */
  async rest(asked: number): Promise<void> {
    const ms = Math.max(1, asked);
    const until = this.#now + ms;
    const busy = Math.min(ms, this.#waiting + ms * this.others);
    this.#waiting = this.#waiting + ms * this.others - busy;
    this.#active += busy;
    this.#now = until;
  }

  /** Takes the loop. */
  work(ms: number): void {
    this.#now += ms;
    this.#active += ms;
    this.#waiting += ms * this.others;
  }
}

interface Shape {
  readonly pages: number;
  readonly facts: number;
  readonly readMs: number;
  readonly factMs: number;
}

/** The part of the time that a back-test took, and the time. Other work runs while a database of its own reads a page. */
async function simulate(
  loop: SimulatedLoop,
  { pages, facts, readMs, factMs }: Shape,
  readsBlock = true,
) {
  const pace = new Pace({ readsBlock }, loop);
  const read = async () => {
    if (readsBlock) loop.work(readMs);
    else await loop.rest(readMs);
  };
  const from = loop.nowMs();
  for (let page = 0; page < pages; page += 1) {
    await pace.inTurn(async () => {
      await pace.during(Promise.resolve().then(read));
      for (let fact = 0; fact < facts; fact += 1) {
        loop.work(factMs);
        await pace.turn();
      }
    });
  }
  const took = loop.nowMs() - from;
  return { took, share: (pages * (readMs + facts * factMs)) / took };
}

const SMALL = { pages: 6, facts: 50, readMs: 20, factMs: 0.06 };
const LARGE = { ...SMALL, pages: 400 };

const BOTH = [true, false];

test.each([1, 5, 25].flatMap((slower) => BOTH.map((readsBlock) => [slower, readsBlock] as const)))(
  'a small back-test has hardly to wait on a quiet loop, although the machine is %i times as slow (reads block: %s)',
  async (slower, readsBlock) => {
    const { pages, facts, readMs, factMs } = SMALL;
    const slow = { pages, facts, readMs: readMs * slower, factMs: factMs * slower };
    const { took } = await simulate(new SimulatedLoop(0.02), slow, readsBlock);
    const worked = pages * (slow.readMs + facts * slow.factMs);
    expect(took).toBeLessThan(1.1 * worked + 200);
  },
);

test.each(BOTH)(
  'a large one takes a small share beside others that would use all of the loop (reads block: %s)',
  async (readsBlock) => {
    const { share } = await simulate(new SimulatedLoop(0.95), LARGE, readsBlock);
    expect(share).toBeLessThan(0.09);
  },
);

test('others are seen although a page has less work than a turn, and what was read was short', async () => {
  const shape = { pages: 4_000, facts: 5, readMs: 1, factMs: 0.06 };
  const { share } = await simulate(new SimulatedLoop(0.95), shape);
  expect(share).toBeLessThan(0.09);
});

test('it goes on at once when others have become quiet, however long it still had to rest', async () => {
  const loop = new SimulatedLoop(0.95);
  const pace = new Pace({ readsBlock: true }, loop);
  const read = (ms: number) =>
    pace.inTurn(() => pace.during(Promise.resolve().then(() => loop.work(ms))));
  for (let n = 0; n < 20; n += 1) await read(20);
  loop.others = 0;
  await read(1);
  const from = loop.nowMs();
  await read(2_000);
  expect(loop.nowMs() - from).toBeLessThan(2_500);
});

test('several take turns page by page, in the order in which they asked', async () => {
  const loop = new SimulatedLoop(0);
  const pace = new Pace({ readsBlock: false }, loop);
  const seen: string[] = [];
  const run = async (name: string, pages: number) => {
    for (let page = 0; page < pages; page += 1) {
      await pace.inTurn(async () => {
        seen.push(`${name} begins`);
        await pace.during(Promise.resolve());
        seen.push(`${name} ends`);
      });
    }
  };
  await Promise.all([run('long', 3), run('short', 1)]);
  const order = ['long', 'short', 'long', 'long'];
  expect(seen).toEqual(order.flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test.each([true, false])('what is read is returned, and a failure thrown', async (readsBlock) => {
  const pace = new Pace({ readsBlock });
  const read = <T>(result: Promise<T>) => pace.inTurn(() => pace.during(result));
  expect(await read(Promise.resolve(3))).toBe(3);
  await expect(read(Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(await read(Promise.resolve(4))).toBe(4);
});
