import { expect, test } from 'vitest';
import { createDatabase } from './database.ts';
import { CommitUnknownError, type Driver } from './driver.ts';

const lost = () => new Error('Connection terminated unexpectedly');
const refused = (code: string) => Object.assign(new Error('refused'), { code });

/** A driver whose statements and commits end as given, one transaction after another. */
function fakeDriver(ends: readonly { write?: Error; commit?: Error }[]) {
  let transactions = 0;
  const driver: Driver = {
    kind: 'postgres',
    query: async () => [],
    begin: () => {
      const end = ends[transactions] ?? {};
      transactions += 1;
      return {
        query: async () => {
          if (end.write) throw end.write;
          return [];
        },
        script: async () => undefined,
        commit: async () => {
          if (end.commit) throw end.commit;
        },
        rollback: async () => undefined,
      };
    },
    close: async () => undefined,
  };
  return { database: createDatabase(driver), count: () => transactions };
}

const write = (database: ReturnType<typeof fakeDriver>['database']) =>
  database.transaction(async (tx) => tx.send('insert'));

test('a connection that breaks with the COMMIT under way is not tried again: it may have happened', async () => {
  const { database, count } = fakeDriver([
    { write: lost(), commit: new CommitUnknownError('lost') },
  ]);
  await expect(write(database)).rejects.toBeInstanceOf(CommitUnknownError);
  expect(count()).toBe(1);
});

test('a write that the server refused kept the COMMIT from happening, whatever became of that', async () => {
  const { database, count } = fakeDriver([
    { write: refused('40001'), commit: new CommitUnknownError('lost') },
  ]);
  await write(database);
  expect(count()).toBe(2);
});

test('a deadlock is tried again, a wrong statement is not', async () => {
  const deadlock = fakeDriver([
    { write: refused('40P01'), commit: new Error('rolled back') },
    { write: refused('40P01'), commit: new Error('rolled back') },
  ]);
  await write(deadlock.database);
  expect(deadlock.count()).toBe(3);
  const wrong = fakeDriver([{ write: refused('42601'), commit: new Error('rolled back') }]);
  await expect(write(wrong.database)).rejects.toMatchObject({ code: '42601' });
  expect(wrong.count()).toBe(1);
});

test('trying again has an end', async () => {
  const { database, count } = fakeDriver(
    Array.from({ length: 9 }, () => ({ write: refused('55P03'), commit: new Error('no') })),
  );
  await expect(write(database)).rejects.toMatchObject({ code: '55P03' });
  expect(count()).toBe(3);
});

test('writes that are sent go out together, before what is waited for and before the commit', async () => {
  const log: string[] = [];
  const database = createDatabase({
    kind: 'postgres',
    query: async () => [],
    begin: () => ({
      query: async (text: string) => {
        log.push(text);
        return [];
      },
      script: async () => undefined,
      commit: async () => void log.push('commit'),
      rollback: async () => void log.push('rollback'),
    }),
    close: async () => undefined,
  });
  await database.transaction(async (tx) => {
    tx.send('insert into a values (1)');
    tx.send('insert into b values (1)');
    await tx.query('select 1');
    tx.send('update a set n = 2');
    tx.send('update a set n = 3');
  });
  expect(log).toEqual([
    'with w0 as (insert into a values (1)) insert into b values (1)',
    'select 1',
    'update a set n = 2',
    'update a set n = 3',
    'commit',
  ]);

  log.length = 0;
  const failing = database.transaction(async (tx) => {
    tx.send('insert into a values (1)');
    throw new Error('refused');
  });
  await expect(failing).rejects.toThrow('refused');
  expect(log).toEqual(['rollback']);
});

test('a statement that failed is told, not that those behind it were refused for it', async () => {
  const database = createDatabase({
    kind: 'postgres',
    query: async () => [],
    begin: () => ({
      query: async (text: string) => {
        throw refused(text === 'select first' ? '22012' : '25P02');
      },
      script: async () => undefined,
      commit: async () => {
        throw new Error('rolled back');
      },
      rollback: async () => undefined,
    }),
    close: async () => undefined,
  });
  const body = database.transaction(async (tx) => {
    const first = tx.query('select first');
    await tx.query('select second');
    await first;
  });
  await expect(body).rejects.toMatchObject({ code: '22012' });
});

test('a transaction refuses another of its own database inside it, and lets in one of another database', async () => {
  const [one, other] = [fakeDriver([]), fakeDriver([])];
  const nest = (outer: typeof one, inner: typeof one) =>
    outer.database.transaction(() => write(inner.database));
  await expect(nest(one, one)).rejects.toThrow('A transaction inside a transaction: use its tx.');
  await nest(one, other);
  const around = other.database.transaction(() => nest(one, other));
  await expect(around).rejects.toThrow('A transaction inside a transaction: use its tx.');
  await write(one.database);
});
