import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { openEmbedded } from '../../src/platform/db/embedded/open-embedded.ts';
import { killAll, launch, type Program, startProgram } from '../process.ts';
import { makeRandom } from '../random.ts';
import { rounds } from '../rounds.ts';
import { makeDataFolder, openShop, readFeed, type Shop, toParticipant } from './shop.ts';

const DATA_DIR = mkdtempSync(join(tmpdir(), 'goodword-durability-'));
afterAll(async () => {
  await killAll();
  rmSync(DATA_DIR, { recursive: true, force: true });
});

const ROUNDS = rounds(2, 30);
const WRITERS = 8;
const ANSWERS_MIN = 10;
const ANSWERS_MAX = 50;
/** Turns of the event loop from the last awaited answer to the kill: any phase of a commit. */
const TURNS_MAX = 40;
/** Every so many rounds the next start is killed too, somewhere in its recovery. */
const KILLED_START_EVERY = 3;
const START_MS = 1_200;
const SLOW = 900_000;

/** What the callers know: what they sent, and what they were told is done. */
class Ledger {
  readonly acknowledged = new Set<string>();
  /** Sent without an answer: done or not, so it is sent again. */
  readonly unanswered = new Set<string>();
  #made = 0;
  #awaited: { size: number; resolve(): void } | undefined;

  acknowledge(externalId: string): void {
    this.acknowledged.add(externalId);
    if (this.#awaited && this.acknowledged.size >= this.#awaited.size) this.#awaited.resolve();
  }

  /** Resolves at the acknowledgement that makes them so many. */
  reach(size: number): Promise<void> {
    return new Promise((resolve) => {
      this.#awaited = { size, resolve };
    });
  }

  next(): string {
    const [again] = this.unanswered;
    if (again !== undefined) {
      this.unanswered.delete(again);
      return again;
    }
    this.#made += 1;
    return `user ${this.#made}`;
  }
}

/** Several callers at once, each until its call fails or `isEnough`. */
async function write(url: string, shop: Shop, ledger: Ledger, isEnough: () => boolean) {
  const one = async () => {
    while (!isEnough()) {
      const externalId = ledger.next();
      const status = await fetch(`${url}/v1/participants`, {
        method: 'PUT',
        headers: { 'x-api-key': shop.key, 'content-type': 'application/json' },
        body: toParticipant(shop, externalId),
      })
        .then(async (response) => response.text().then(() => response.status))
        .catch(() => undefined);
      if (status === undefined) {
        ledger.unanswered.add(externalId);
        return;
      }
      expect(status).toBe(200);
      ledger.acknowledge(externalId);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, one));
}

/** Reads on from where it stands until the program is gone, as a subscriber would. */
class Reader {
  readonly seen: string[] = [];
  #cursor: string | undefined;

  async catchUp(url: string, shop: Shop): Promise<void> {
    const { externalIds, next } = await readFeed(url, shop, this.#cursor);
    this.seen.push(...externalIds);
    this.#cursor = next;
  }

  async follow(url: string, shop: Shop): Promise<void> {
    while (true) {
      try {
        await this.catchUp(url, shop);
      } catch (error) {
        // A refusal is a fault of the feed; only a broken connection ends the reading.
        if ((error as Error).message.startsWith('The feed answered')) throw error;
        return;
      }
    }
  }
}

async function killInTheMiddle(
  program: Program,
  shop: Shop,
  { ledger, reader }: { readonly ledger: Ledger; readonly reader: Reader },
  random: (max: number) => number,
): Promise<void> {
  const size = ledger.acknowledged.size + ANSWERS_MIN + random(ANSWERS_MAX - ANSWERS_MIN);
  const turns = random(TURNS_MAX);
  const enough = ledger.reach(size);
  let isDead = false;
  const written = write(program.url, shop, ledger, () => isDead);
  const read = reader.follow(program.url, shop);
  await Promise.race([enough, written, read]);
  for (let turn = 0; turn < turns; turn += 1) await nextTurn();
  const { signal, stderr } = await program.kill('SIGKILL');
  isDead = true;
  await Promise.all([written, read]);
  expect({ signal, stderr }).toEqual({ signal: 'SIGKILL', stderr: '' });
  expect(ledger.acknowledged.size).toBeGreaterThanOrEqual(size);
}

test(
  `SIGKILL in the middle of writes, ${ROUNDS} times on one folder, loses no acknowledged write and leaves no gap in the feed`,
  async () => {
    const seed = randomInt(2 ** 31);
    try {
      await killAgainAndAgain(makeRandom(seed));
    } catch (error) {
      throw new Error(`With the seed ${seed}: ${(error as Error).message}`, { cause: error });
    }
  },
  SLOW,
);

async function killAgainAndAgain(random: (max: number) => number): Promise<void> {
  const ledger = new Ledger();
  const reader = new Reader();
  makeDataFolder(DATA_DIR);
  let program = await startProgram({ DATA_DIR });
  const shop = await openShop(program.url, DATA_DIR);

  for (let round = 1; round <= ROUNDS; round += 1) {
    await killInTheMiddle(program, shop, { ledger, reader }, random);
    if (round % KILLED_START_EVERY === 0) {
      const start = launch({ DATA_DIR });
      await Promise.race([start.ready, pause(random(START_MS))]);
      await start.kill('SIGKILL');
    }
    program = await startProgram({ DATA_DIR });
    await reader.catchUp(program.url, shop);
    const seen = new Set(reader.seen);
    expect(seen.size).toBe(reader.seen.length);
    expect([...ledger.acknowledged].filter((externalId) => !seen.has(externalId))).toEqual([]);
  }

  await write(program.url, shop, ledger, () => ledger.unanswered.size === 0);
  await reader.catchUp(program.url, shop);
  const { externalIds } = await readFeed(program.url, shop);
  // Whoever read along saw exactly what stands in the feed now, in its order.
  expect(reader.seen).toEqual(externalIds);
  expect([...externalIds].sort()).toEqual([...ledger.acknowledged].sort());
  expect((await program.kill('SIGTERM')).code).toBe(0);
  await checkFolder(shop.projectId, externalIds.length);
}

/** Looks into the folder itself: positions and numbers are 1 to n, and the head stands at n. */
async function checkFolder(projectId: string, count: number): Promise<void> {
  const driver = await openEmbedded(DATA_DIR);
  try {
    const positions = await driver.query<{ position: bigint }>(
      'select position from feed_events where project_id = $1 order by position',
      [projectId],
    );
    const numbers = await driver.query<{ number: bigint }>(
      'select number from participants where project_id = $1 order by number',
      [projectId],
    );
    const [head] = await driver.query<{ feed_position: bigint; numbers: Record<string, number> }>(
      'select feed_position, numbers from project_heads where project_id = $1',
      [projectId],
    );
    const gapless = Array.from({ length: count }, (_, index) => index + 1);
    expect(positions.map((row) => Number(row.position))).toEqual(gapless);
    expect(numbers.map((row) => Number(row.number))).toEqual(gapless);
    expect(Number(head?.feed_position)).toBe(count);
    expect(new Set(Object.values(head?.numbers ?? {}))).toEqual(new Set([count]));
  } finally {
    await driver.close();
  }
}
