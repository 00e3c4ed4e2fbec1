import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEngine } from '../../../../test/database.ts';
import type { Driver } from '../driver.ts';
import { EmbeddedDriver } from './embedded-driver.ts';

let driver: Driver;

beforeAll(async () => {
  const { pg, mutex } = await createEngine();
  driver = new EmbeddedDriver(pg, mutex, () => mutex.run(() => pg.close()));
  await driver.query('create table notes (id int primary key, body text)');
});
beforeEach(() => driver.query('truncate notes'));
afterAll(() => driver.close());

const insert = 'insert into notes values ($1, $2)';
const ids = async () =>
  (await driver.query<{ id: number }>('select id from notes order by id')).map((row) => row.id);

describe('values', () => {
  const ISO = '2026-11-15T02:39:25.120Z';
  it.each([
    ['int8', 9007199254740993n, 9007199254740993n],
    ['int8', 7, 7n],
    ['int8', '7', 7n],
    ['int4', 7, 7],
    ['int4', 7n, 7],
    ['numeric', '12.340', '12.340'],
    ['float8', 0.1, 0.1],
    ['text', 'a "b" \\c, {d}', 'a "b" \\c, {d}'],
    ['text', 5, '5'],
    ['boolean', true, true],
    ['boolean', 'off', false],
    ['uuid', '0191d8a5-8f1e-7c3a-9d53-3f2b8a1c0e44', '0191d8a5-8f1e-7c3a-9d53-3f2b8a1c0e44'],
    ['timestamptz', ISO, ISO],
    ['timestamptz', '2026-11-15T04:39:25.12+02:00', ISO],
    ['timestamptz', new Date(ISO), ISO],
    ['jsonb', '{"a": [1, null]}', { a: [1, null] }],
    ['jsonb', '"text"', 'text'],
    ['json', '[]', []],
    ['bytea', new Uint8Array([0, 255]), new Uint8Array([0, 255])],
    ['text[]', ['', 'NULL', null, '"\\', 'ü,{}'], ['', 'NULL', null, '"\\', 'ü,{}']],
    ['int8[]', [1n, null, 9007199254740993n], [1n, null, 9007199254740993n]],
    ['boolean[]', [true, null, false], [true, null, false]],
    ['timestamptz[]', [ISO, null], [ISO, null]],
    ['jsonb[]', ['{"a":"b\\"c"}', null, '1'], [{ a: 'b"c' }, null, 1]],
    ['text[]', [], []],
    ['text', null, null],
    ['text', undefined, null],
  ])('%s: %o arrives as %o', async (type, sent, expected) => {
    const [row] = await driver.query<{ value: unknown }>(`select $1::${type} as value`, [sent]);
    expect(row?.value).toEqual(expected);
  });

  it('unnests arrays side by side', async () => {
    const rows = await driver.query(
      'select * from unnest($1::int8[], $2::text[], $3::jsonb[]) as u (id, body, extra)',
      [
        [1n, 2],
        ['a', null],
        ['{"k": 1}', null],
      ],
    );
    expect(rows).toEqual([
      { id: 1n, body: 'a', extra: { k: 1 } },
      { id: 2n, body: null, extra: null },
    ]);
  });
});

describe('errors', () => {
  it.each([
    ['select $1::boolean', ['ture'], '22P02'],
    ['select nonsense', [], '42703'],
    ['select $1::int', [], '08P01'],
    ['select', ['one too many'], '08P01'],
  ])('%s has an SQLSTATE', async (text, params, code) => {
    await expect(driver.query(text, params)).rejects.toMatchObject({ code });
  });

  it('do not carry the values', async () => {
    const outcome = driver.query('select $1::int', ['mail@example.org secret']);
    const error = await outcome.catch((reason) => reason);
    expect(error).toMatchObject({ code: '22P02' });
    for (const key of ['query', 'params', 'queryOptions']) expect(error).not.toHaveProperty(key);
  });
});

describe('transactions', () => {
  it('commit what was sent without waiting, in the order it was sent', async () => {
    const session = driver.begin();
    const sent = [
      session.query(insert, [1, 'a']),
      session.query('update notes set body = body || $1 where id = 1', ['b']),
      session.script("update notes set body = body || 'c'; update notes set body = body || 'd'"),
      session.query('select body from notes'),
    ];
    await session.commit();
    expect((await Promise.all(sent)).at(-1)).toEqual([{ body: 'abcd' }]);
    expect(await driver.query('select body from notes')).toEqual([{ body: 'abcd' }]);
  });

  it('reject the commit after a failed statement, and keep nothing', async () => {
    const session = driver.begin();
    await session.query(insert, [1, 'a']);
    const failing = session.query(insert, [1, 'again']);
    const later = session.query(insert, [2, 'b']);

    await expect(session.commit()).rejects.toMatchObject({
      code: '25P02',
      cause: { code: '23505' },
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    await expect(later).rejects.toMatchObject({ code: '25P02' });
    await session.rollback();
    expect(await ids()).toEqual([]);
  });

  it('reject the commit after a failure nobody awaited', async () => {
    const session = driver.begin();
    void session.query('select nonsense');
    await expect(session.commit()).rejects.toMatchObject({ cause: { code: '42703' } });
  });

  it('reject the commit after a value that could not be sent', async () => {
    const session = driver.begin();
    await session.query(insert, [1, 'a']);
    const loop: unknown[] = [];
    loop.push({ loop });
    await expect(session.query(insert, [2, { loop }])).rejects.toThrow('circular');
    await expect(session.commit()).rejects.toMatchObject({ code: '25P02' });
    expect(await ids()).toEqual([]);
  });

  it('reject the commit that a deferred constraint refuses', async () => {
    await driver.query('create table parents (id int primary key)');
    await driver.query(
      'create table children (id int references parents deferrable initially deferred)',
    );
    const session = driver.begin();
    await session.query('insert into children values (1)');
    await expect(session.commit()).rejects.toMatchObject({ code: '23503' });
    expect(await driver.query('select * from children')).toEqual([]);
  });

  it('can roll back to a savepoint', async () => {
    const session = driver.begin();
    await session.query(insert, [1, 'a']);
    await session.query('savepoint s');
    await expect(session.query(insert, [1, 'again'])).rejects.toMatchObject({ code: '23505' });
    await session.query('rollback to savepoint s');
    await session.query(insert, [2, 'b']);
    await session.commit();
    expect(await ids()).toEqual([1, 2]);
  });

  it('roll back without a word, also twice and after the end', async () => {
    const session = driver.begin();
    await session.query(insert, [1, 'a']);
    await expect(session.query('select nonsense')).rejects.toThrow();
    await session.rollback();
    await session.rollback();
    await expect(session.query('select 1')).rejects.toThrow('already ended');
    await expect(session.commit()).rejects.toThrow('already ended');
    expect(await ids()).toEqual([]);
  });
});

describe('callers at the same time', () => {
  it('never get into the transaction of another', async () => {
    const first = driver.begin();
    const second = driver.begin();
    const outside = driver.query(insert, [3, 'outside']);
    // Sent interleaved: the second's statements must wait for the end of the first.
    const crossed = [
      second.query(insert, [2, 'second']),
      first.query(insert, [1, 'first']),
      second.query<{ id: number }>('select id from notes order by id'),
      first.query<{ id: number }>('select id from notes order by id'),
    ];
    const [secondSaw, firstSaw] = [crossed[2], crossed[3]];
    expect(await firstSaw).toEqual([{ id: 1 }]);
    await first.rollback();
    expect(await secondSaw).toEqual([{ id: 2 }]);
    await second.commit();
    await outside;
    expect(await ids()).toEqual([2, 3]);
  });

  it('each get all or nothing, whoever fails in between', async () => {
    const callers = Array.from({ length: 40 }, async (_, caller) => {
      const session = driver.begin();
      for (const step of [0, 1, 2]) {
        const wrong = caller % 4 === 0 && step === 1;
        await session
          .query(wrong ? 'select nonsense' : insert, [caller * 10 + step, 'x'])
          .catch((error) => expect(caller % 4, error.message).toBe(0));
      }
      return caller % 3 === 0 ? session.rollback() : session.commit();
    });
    const outcomes = await Promise.allSettled(callers);
    for (const [caller, { status }] of outcomes.entries()) {
      const refused = caller % 4 === 0 && caller % 3 !== 0;
      expect(status).toBe(refused ? 'rejected' : 'fulfilled');
    }

    const kept = Array.from({ length: 40 }, (_, caller) => caller)
      .filter((caller) => caller % 4 !== 0 && caller % 3 !== 0)
      .flatMap((caller) => [0, 1, 2].map((step) => caller * 10 + step));
    expect(await ids()).toEqual(kept);
  });
});
