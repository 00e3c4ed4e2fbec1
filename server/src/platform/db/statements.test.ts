import { expect, test } from 'vitest';
import type { Tx } from './database.ts';
import type { Queryable } from './driver.ts';
import { findRow, hasRow, listRows, listValues, sendWrite } from './statements.ts';

/** Answers every statement with these rows, and keeps what was asked. */
function answering(rows: readonly object[]) {
  const asked: unknown[] = [];
  const take = (text: string, params: readonly unknown[] = []) => {
    asked.push([text, params]);
    return Promise.resolve([...rows]);
  };
  return { asked, db: { query: take, send: take } as unknown as Queryable & Tx };
}

test('a statement takes the parameters of its function, in order', async () => {
  const { asked, db } = answering([{ id: 'a' }, { id: 'b' }]);
  const list = listRows<{ id: string }, [projectId: string, limit: number]>('some');
  expect(await list(db, 'prj', 2)).toEqual([{ id: 'a' }, { id: 'b' }]);
  sendWrite<[id: string]>('write')(db, 'a');
  expect(asked).toEqual([
    ['some', ['prj', 2]],
    ['write', ['a']],
  ]);
});

test('one row, one column, or whether there is any', async () => {
  const { db } = answering([{ id: 'a' }, { id: null }]);
  expect(await findRow<{ id: string }>('')(db)).toEqual({ id: 'a' });
  expect(await listValues<string | null>('')(db)).toEqual(['a', null]);
  expect(await hasRow('')(db)).toBe(true);
  const none = answering([]);
  expect(await findRow('')(none.db)).toBeUndefined();
  expect(await listValues('')(none.db)).toEqual([]);
  expect(await hasRow('')(none.db)).toBe(false);
});
