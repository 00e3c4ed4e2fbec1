import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase } from '../../../../test/database.ts';
import { TestClock } from '../../../../test/harness.ts';
import {
  type Note,
  newHead,
  noteHandler,
  readNotes,
  requestFor,
} from '../../../../test/write-notes.ts';
import { queueDeliveries } from '../../../outbound/webhooks/queue/queue-deliveries.ts';
import type { Database } from '../../db/database.ts';
import { CommitUnknownError } from '../../db/driver.ts';
import { makeNewId } from '../../kit/ids.ts';
import { findHead } from '../store.ts';
import type { Handler } from './project-write.ts';
import { createProjectWriter, type ProjectWriter } from './writer.ts';

let database: Database;
const clock = new TestClock();
let batches: number[] = [];
let projects = 0;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

function newWriter(options: { queueMax?: number; database?: Database } = {}): ProjectWriter {
  batches = [];
  return createProjectWriter({
    fanOut: queueDeliveries,
    database: options.database ?? database,
    clock,
    newId: makeNewId(clock.nowMs),
    queueMax: options.queueMax ?? 1_000,
    onBatch: ({ size }) => batches.push(size),
  });
}

async function newProject(): Promise<string> {
  projects += 1;
  const projectId = `prj_${projects}`;
  await newHead(database, projectId);
  return projectId;
}

const settle = (writer: ProjectWriter, projectId: string, notes: readonly Note[]) =>
  Promise.allSettled(notes.map((note) => writer.submit(noteHandler, requestFor(projectId), note)));

describe('group commit', () => {
  test('what arrives while a transaction runs goes into the next one together', async () => {
    const projectId = await newProject();
    await settle(
      newWriter(),
      projectId,
      Array.from({ length: 45 }, (_, n) => ({ text: `n${n}` })),
    );
    expect(batches).toEqual([1, 20, 20, 4]);
    const notes = await readNotes(database, projectId);
    expect(notes.map((note) => note.text)).toEqual(Array.from({ length: 45 }, (_, n) => `n${n}`));
  });

  test('Projects do not wait for each other’s queues', async () => {
    const [one, two] = [await newProject(), await newProject()];
    const writer = newWriter();
    await Promise.all([
      settle(writer, one, [{ text: 'a' }, { text: 'b' }]),
      settle(writer, two, [{ text: 'c' }]),
    ]);
    expect(batches.toSorted()).toEqual([1, 1, 1]);
  });

  test('a batch leaves exactly what its commands leave one by one, whatever goes wrong in it', async () => {
    const note = fc.record({
      text: fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => !text.includes('\0')),
      fault: fc.option(fc.constantFrom('refused', 'throws', 'sql'), { nil: undefined, freq: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(note, { maxLength: 12 }), async (generated) => {
        const notes = generated as Note[];
        const [together, alone] = [await newProject(), await newProject()];
        const writer = newWriter();
        const a = await settle(writer, together, notes);
        const b = [];
        for (const one of notes) b.push(...(await settle(writer, alone, [one])));
        const outcome = (result: PromiseSettledResult<unknown>) =>
          result.status === 'fulfilled' ? result.value : 'failed';
        expect(a.map(outcome)).toEqual(b.map(outcome));
        expect(await readNotes(database, together)).toEqual(await readNotes(database, alone));
        expect(await findHead(database.reads, together)).toEqual(
          await findHead(database.reads, alone),
        );
      }),
      { numRuns: 25 },
    );
  });
});

describe('many Projects', () => {
  const sharedNotes = { ...noteHandler, isShared: true as const, repeatable: true };
  /** A note for each Project; the first transactions run alone, and what arrives meanwhile is shared. */
  const tell = (writer: ProjectWriter, ids: readonly string[], note: (n: number) => Note) =>
    Promise.allSettled(
      ids.map((projectId, n) => writer.submit(sharedNotes, requestFor(projectId), note(n))),
    );
  const newProjects = (count: number) => Promise.all(Array.from({ length: count }, newProject));

  test('share a transaction if each has few commands', async () => {
    const ids = await newProjects(12);
    await tell(newWriter(), ids, (n) => ({ text: `n${n}` }));
    expect(batches).toEqual([1, 1, 10]);
    for (const [n, id] of ids.entries()) {
      expect(await readNotes(database, id)).toMatchObject([{ text: `n${n}`, position: 1 }]);
    }
  });

  test('share a transaction with what arrives while two of them run', async () => {
    const ids = await newProjects(8);
    let endFirst = () => {};
    const isEnded = new Promise<void>((resolve) => {
      endFirst = resolve;
    });
    const slowNotes: typeof sharedNotes = {
      ...sharedNotes,
      run: async (...batch) => {
        await isEnded;
        return sharedNotes.run(...batch);
      },
    };
    const writer = newWriter();
    const told = [];
    for (const [n, id] of ids.entries()) {
      told.push(writer.submit(slowNotes, requestFor(id), { text: `n${n}` }));
      await delay(5);
    }
    endFirst();
    await Promise.all(told);
    expect(batches).toEqual([1, 1, 6]);
  });

  test('of which one has many commands: it has its own', async () => {
    const ids = await newProjects(8);
    const hot = ids[0] as string;
    await tell(newWriter(), [...ids, ...Array.from({ length: 9 }, () => hot)], (n) => ({
      text: `n${n}`,
    }));
    expect(batches.toSorted((a, b) => a - b)).toEqual([1, 1, 6, 9]);
    expect((await readNotes(database, hot)).map(({ position }) => position)).toEqual(
      Array.from({ length: 10 }, (_, n) => n + 1),
    );
  });

  test.each(['throws', 'sql', 'refused'] as const)(
    'none of which fails because another %s',
    async (fault) => {
      const ids = await newProjects(8);
      const told = await tell(newWriter(), ids, (n) =>
        n === 5 ? { text: 'bad', fault } : { text: `n${n}` },
      );
      expect(told.map(({ status }) => status)).toEqual(
        ids.map((_, n) => (n === 5 ? 'rejected' : 'fulfilled')),
      );
      for (const [n, id] of ids.entries()) {
        const notes = await readNotes(database, id);
        expect(notes.map(({ position }) => position)).toEqual(n === 5 ? [] : [1]);
      }
    },
  );

  test('one of which does not exist: it alone is refused', async () => {
    const ids = [...(await newProjects(4)), 'prj_none'];
    const told = await tell(newWriter(), ids, (n) => ({ text: `n${n}` }));
    expect(told.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 4 }, () => 'fulfilled'),
      'rejected',
    ]);
    expect(told[4]).toMatchObject({ reason: { code: 'NOT_FOUND' } });
  });
});

describe('the feed', () => {
  test('positions and numbers have no gaps, though some commands fail', async () => {
    const projectId = await newProject();
    const notes = Array.from({ length: 60 }, (_, n): Note => {
      const text = `n${n}`;
      if (n % 7 === 3) return { text, fault: 'throws' };
      return n % 5 === 2 ? { text, fault: 'refused' } : { text };
    });
    const results = await settle(newWriter(), projectId, notes);
    const written = await readNotes(database, projectId);
    expect(written.map((note) => note.position)).toEqual(written.map((_, index) => index + 1));
    const numbers = results.flatMap((result) =>
      result.status === 'fulfilled' ? [result.value.number] : [],
    );
    expect(numbers.toSorted((a, b) => a - b)).toEqual(written.map((_, index) => index + 1));
    expect((await findHead(database.reads, projectId))?.feedPosition).toBe(written.length);
  });

  test('a Project’s time never runs backwards, though the clock does (D-TIME-1)', async () => {
    const projectId = await newProject();
    const writer = newWriter();
    await settle(writer, projectId, [{ text: 'now' }]);
    clock.advance(-3_600_000);
    await settle(writer, projectId, [{ text: 'an hour back' }]);
    clock.advance(7_200_000);
    await settle(writer, projectId, [{ text: 'later' }]);
    const [first, second, third] = (await readNotes(database, projectId)).map((note) => note.at);
    expect(second).toBe(first);
    expect(third).toBe(clock.now);
    expect(clock.now > String(first)).toBe(true);
  });
});

describe('faults', () => {
  test('a poisoned command fails alone', async () => {
    const projectId = await newProject();
    const results = await settle(newWriter(), projectId, [
      { text: 'first' },
      { text: 'good' },
      { text: 'bad', fault: 'sql' },
      { text: 'also good' },
    ]);
    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    const notes = await readNotes(database, projectId);
    expect(notes.map((note) => note.text)).toEqual(['first', 'good', 'also good']);
  });

  test('over the bound of the queue a write is refused with 503 at once', async () => {
    const projectId = await newProject();
    const writer = newWriter({ queueMax: 3 });
    const submit = () => writer.submit(noteHandler, requestFor(projectId), { text: 'x' });
    // One is being written, three wait.
    const accepted = [submit(), submit(), submit(), submit()];
    await expect(submit()).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      reason: 'overloaded',
    });
    await Promise.all(accepted);
    expect(writer.pending()).toBe(0);
    await submit();
  });

  test('a nested write, a read outside the transaction and a nested transaction are refused', async () => {
    const projectId = await newProject();
    const writer = newWriter();
    const nested = (inside: () => Promise<unknown>) =>
      writer.run(requestFor(projectId), async () => ({ answer: await inside() }));
    await expect(
      nested(() => writer.submit(noteHandler, requestFor(projectId), { text: 'x' })),
    ).rejects.toThrow('inside a transaction');
    await expect(nested(async () => database.reads.query('select 1'))).rejects.toThrow(
      'inside a transaction',
    );
    await expect(nested(() => database.transaction(async () => 1))).rejects.toThrow(
      'inside a transaction',
    );
    expect(await readNotes(database, projectId)).toEqual([]);
  });

  test('a write to a Project without a head is NOT_FOUND', async () => {
    const [result] = await settle(newWriter(), 'prj_none', [{ text: 'x' }]);
    expect(result).toMatchObject({ reason: { code: 'NOT_FOUND' } });
  });
});

describe('a batch behind one that fails to commit', () => {
  const notes = Array.from({ length: 30 }, (_, n) => ({ text: `n${n}` }));
  const texts = notes.map(({ text }) => text);

  /**
   * Fails the second transaction after all of it was sent, and reports it on request; or retries it
   * by itself, as for database failures.
   */
  function failingDatabase(isCommitted: Promise<boolean>, triesAgain = false): Database {
    let runs = 0;
    return {
      ...database,
      async transaction(body, options) {
        runs += 1;
        if (runs !== 2) return database.transaction(body, options);
        const failure = new Error('failed');
        await database
          .transaction(async (tx) => {
            await body(tx);
            throw failure;
          })
          .catch(() => undefined);
        options?.onCommitting?.(isCommitted);
        await isCommitted;
        if (triesAgain) return database.transaction(body, options);
        throw failure;
      },
    };
  }

  test('gives way to it: the order of the queue is kept', async () => {
    const projectId = await newProject();
    const writer = newWriter({ database: failingDatabase(Promise.resolve(false)) });
    const results = await settle(writer, projectId, notes);
    expect(results.every(({ status }) => status === 'fulfilled')).toBe(true);
    expect((await readNotes(database, projectId)).map(({ text }) => text)).toEqual(texts);
    // The first, the failing one, the one after it, each command of the failed one alone, that one
    // again.
    expect(batches).toEqual([1, 20, 9, ...Array(20).fill(1), 9]);
  });

  test('gives way to one that is tried again', async () => {
    const projectId = await newProject();
    const writer = newWriter({ database: failingDatabase(Promise.resolve(false), true) });
    const results = await settle(writer, projectId, notes);
    expect(results.every(({ status }) => status === 'fulfilled')).toBe(true);
    expect((await readNotes(database, projectId)).map(({ text }) => text)).toEqual(texts);
  });

  test('waits for it as well if it fails itself before it has its turn', async () => {
    const projectId = await newProject();
    let answer = (_: boolean) => {};
    const failing = failingDatabase(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    let runs = 0;
    const writer = newWriter({
      database: {
        ...failing,
        transaction(body, options) {
          runs += 1;
          if (runs !== 3) return failing.transaction(body, options);
          return Promise.reject(Object.assign(new Error('cancelled'), { code: '57014' }));
        },
      },
    });
    const settling = settle(writer, projectId, notes);
    await expect.poll(() => batches, { timeout: 20_000 }).toEqual([1, 9]);
    answer(false);
    const results = await settling;
    expect(results.every(({ status }) => status === 'fulfilled')).toBe(true);
    expect((await readNotes(database, projectId)).map(({ text }) => text)).toEqual(texts);
  });

  test('does not keep the lock while its answer is lost', async () => {
    const projectId = await newProject();
    let answer = (_: boolean) => {};
    const answered = new Promise<boolean>((resolve) => {
      answer = resolve;
    });
    const writer = newWriter({ database: failingDatabase(answered) });
    const settling = settle(writer, projectId, notes);
    await expect.poll(() => batches, { timeout: 20_000 }).toEqual([1, 9]);
    expect(await readNotes(database, projectId)).toHaveLength(1);
    answer(false);
    await settling;
    expect((await readNotes(database, projectId)).map(({ text }) => text)).toEqual(texts);
  });
});

describe('a connection that breaks during COMMIT', () => {
  /** Commits, then reports an unknown outcome. */
  function forgetfulDatabase(times: number): Database {
    let left = times;
    return {
      ...database,
      async transaction(body) {
        const answer = await database.transaction(body);
        left -= 1;
        if (left >= 0) throw new CommitUnknownError('lost');
        return answer;
      },
    };
  }

  test('is told as such when the command cannot be repeated safely', async () => {
    const projectId = await newProject();
    const writer = newWriter({ database: forgetfulDatabase(1) });
    const [result] = await settle(writer, projectId, [{ text: 'once' }]);
    expect(result).toMatchObject({ reason: { name: 'CommitUnknownError' } });
    expect(await readNotes(database, projectId)).toHaveLength(1);
  });

  test('fails a whole batch, and writes none of it again', async () => {
    const projectId = await newProject();
    const writer = newWriter({ database: forgetfulDatabase(2) });
    const notes = ['a', 'b', 'c', 'd'].map((text) => ({ text }));
    const results = await settle(writer, projectId, notes);
    expect(results.map((result) => result.status)).toEqual(Array(4).fill('rejected'));
    const written = await readNotes(database, projectId);
    expect(written.map((note) => note.text)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('is repeated when an Idempotency-Key makes that safe: the fact is there once', async () => {
    const projectId = await newProject();
    const writer = newWriter({ database: forgetfulDatabase(1) });
    const answer = await writer.submit(noteHandler, requestFor(projectId, 'key-1'), {
      text: 'once',
    });
    expect(answer.number).toBe(1);
    expect(await readNotes(database, projectId)).toHaveLength(1);
  });

  test('is repeated when the handler is repeatable', async () => {
    const projectId = await newProject();
    const writer = newWriter({ database: forgetfulDatabase(1) });
    let runs = 0;
    const handler: Handler<undefined, number> = {
      name: 'repeatable',
      batchMax: 1,
      repeatable: true,
      run: async () => [{ answer: ++runs }],
    };
    expect(await writer.submit(handler, requestFor(projectId), undefined)).toBe(2);
  });
});
