import Type from 'typebox';
import { expect, test } from 'vitest';
import { IdOf } from '../../kit/schema.ts';
import { makeIdCheck } from './known-ids.ts';

const project = { id: 'prj_1', workspaceId: 'ws_1', projectKey: 'k', environment: 'live' } as const;
const query = Type.Object({
  tree: Type.Optional(IdOf('tree')),
  leaf: Type.Optional(IdOf('leaf')),
  note: Type.Optional(Type.String()),
});
const route = { path: '/v1/things', query };
const known = {
  tree: async (_: unknown, id: string) => id === 'oak',
  leaf: async ({ id: projectId }: { id: string }, id: string) => id === `leaf of ${projectId}`,
};

test('an id must name something of its kind in the project; other fields may be anything', async () => {
  const check = makeIdCheck(route, known);
  await check(project, {});
  await check(project, { tree: 'oak', leaf: 'leaf of prj_1', note: 'elm' });
  await expect(check(project, { tree: 'elm' })).rejects.toThrow('No such tree in this project.');
  await expect(check(project, { tree: 'oak', leaf: 'leaf of prj_2' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: 'No such leaf in this project.',
  });
});

test('a kind that nobody can look up fails before the first call', () => {
  expect(() => makeIdCheck(route, { tree: known.tree })).toThrow('leaf');
});
