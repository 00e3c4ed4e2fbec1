import fc from 'fast-check';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { projectRoute } from '../../../platform/http/routes/project-routes.ts';
import type { Route } from '../../../platform/http/routes/route.ts';
import { AppError } from '../../../platform/kit/errors.ts';
import { Closed } from '../../../platform/kit/schema.ts';
import { toRequest } from './call-route.ts';

function makeRoute(method: Route['method'], path: string): Route {
  return projectRoute({
    method,
    path,
    tag: 'Test',
    summary: 'Test',
    permissions: [],
    ...(method === 'GET' ? { query: Closed({}) } : { body: Closed({}) }),
    answer: Type.Object({}),
    example: { answer: {} },
    handle: async () => ({}),
  });
}

const READ = makeRoute('GET', '/v1/things/{id}/parts');
const WRITE = makeRoute('POST', '/v1/things/{id}');
const IN_PATH = makeRoute('POST', '/v1/projects/{projectId}/things');

test('a reading call has its arguments in the path and the query, and none that are left out', () => {
  expect(toRequest(READ, 'prj_1', { id: 'a/b?c', limit: 5, cursor: null })).toEqual({
    path: '/v1/things/a%2Fb%3Fc/parts',
    query: { limit: '5', projectId: 'prj_1' },
    body: undefined,
  });
});

test('a writing call has the others in the body, as they are', () => {
  expect(toRequest(WRITE, 'prj_1', { id: 'x', terms: { a: 1 }, note: null })).toEqual({
    path: '/v1/things/x',
    query: {},
    body: { terms: { a: 1 }, note: null, projectId: 'prj_1' },
  });
});

test('the project is in the path if the route has it there', () => {
  expect(toRequest(IN_PATH, 'prj_1', { name: 'x' })).toEqual({
    path: '/v1/projects/prj_1/things',
    query: {},
    body: { name: 'x' },
  });
});

test('no id leads to another route', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.constantFrom('.', '..', '%2e%2e', '../..')), (id) => {
      let path: string;
      try {
        ({ path } = toRequest(READ, 'prj_1', { id }));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        expect(['.', '..']).toContain(id);
        return;
      }
      const { pathname, search } = new URL(path, 'http://x.test');
      expect(search).toBe('');
      expect(decodeURIComponent(/^\/v1\/things\/([^/]*)\/parts$/.exec(pathname)?.[1] ?? '!')).toBe(
        id,
      );
    }),
  );
});
