import fc from 'fast-check';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { createKeyring } from '../../kit/keyring.ts';
import { listOf, openCursor, openQuery, sealAnswer, sealCursor } from './list-cursor.ts';

const keyring = createKeyring(Buffer.alloc(32, 7));
const query = Type.Object({
  projectId: Type.String(),
  status: Type.Optional(Type.String()),
  order: Type.Optional(Type.String({ default: 'desc' })),
});
const route = { path: '/v1/things', query };
const list = (filters: object, params = {}) =>
  listOf(route, params, { projectId: 'prj_1', ...filters });

test('a list is its route, what its path names and its filters; the page does not matter', () => {
  expect(list({ limit: 1, cursor: 'x', offset: '50' })).toBe(list({}));
  expect(list({ order: 'desc' })).toBe(list({}));
  const others = [
    list({ order: 'asc' }),
    list({ status: 'open' }),
    list({ projectId: 'prj_2' }),
    list({}, { endpointId: 'whe_1' }),
    listOf({ path: '/v1/others', query }, {}, { projectId: 'prj_1' }),
  ];
  expect(new Set([list({}), ...others]).size).toBe(others.length + 1);
});

test('a cursor leads to its position in its own list only', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (one, other, position) => {
      const cursor = sealCursor(keyring, one, position);
      expect(openCursor(keyring, one, cursor)).toBe(position);
      if (one !== other) expect(() => openCursor(keyring, other, cursor)).toThrow('cursor');
    }),
  );
});

test('any other text is refused', () => {
  const cursor = sealCursor(keyring, 'list', 'position');
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(text !== cursor);
      expect(() => openCursor(keyring, 'list', text)).toThrow('cursor');
      expect(() => openCursor(keyring, 'list', cursor + (text || 'x'))).toThrow('cursor');
    }),
  );
});

test('a query and a response without a cursor stay as they are', () => {
  expect(openQuery(keyring, 'list', { limit: 1 })).toEqual({ limit: 1 });
  const last = { success: true, data: [], nextCursor: null };
  expect(sealAnswer(keyring, 'list', last)).toBe(last);
  const page = sealAnswer(keyring, 'list', { ...last, nextCursor: 'there' }) as {
    nextCursor: string;
  };
  expect(page).toMatchObject({ success: true, data: [] });
  expect(openQuery(keyring, 'list', { cursor: page.nextCursor })).toEqual({ cursor: 'there' });
});
