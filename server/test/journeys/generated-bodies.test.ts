import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Route } from '../../src/platform/http/routes/route.ts';
import { openService, type TestProject, type TestService } from '../harness.ts';
import {
  type Existing,
  existingPathId,
  makeOneOfEach,
  mutate,
  NASTY,
  withExisting,
} from '../one-of-each.ts';
import { rounds } from '../rounds.ts';
import { makeSigner, newWidgetSecret } from '../widget-token.ts';

let service: TestService;
let project: TestProject;
let writeRoutes: Route[];
let existing: Existing;
let widgetToken: string;
beforeAll(async () => {
  service = await openService();
  project = await service.newProject();
  writeRoutes = service.routes.filter((route) => route.method !== 'GET');
  existing = await makeOneOfEach(service, project);
  const { secret } = await newWidgetSecret(service, project);
  widgetToken = await makeSigner(service, project, secret)();
});
afterAll(() => service.close());

const nasty = fc.constantFrom(...NASTY);
const anything = fc.oneof(nasty, fc.jsonValue({ maxDepth: 4 }), fc.string({ unit: 'binary' }));

interface Mutation {
  readonly path: number[];
  readonly value: unknown;
}
const mutation: fc.Arbitrary<Mutation> = fc.record({
  path: fc.array(fc.nat({ max: 12 }), { minLength: 0, maxLength: 3 }),
  value: anything,
});

const seen = new Map<number, number>();

test('no generated body makes any write route answer with a 5xx', async () => {
  // Every route's own example twice over: what is stored takes the one and refuses the other.
  const examples = [...writeRoutes.keys(), ...writeRoutes.keys()].map(
    (which): [number, Mutation, string, number] => [
      which,
      { path: [], value: null },
      'x_nothing',
      3,
    ],
  );
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      mutation,
      fc.constantFrom('x_nothing', '%00', 'é', 'a'.repeat(600)),
      fc.nat({ max: 3 }),
      async (which, { path, value }, id, choice) => {
        const route = writeRoutes[which % writeRoutes.length] as Route;
        const example = {
          ...(withExisting(existing, route.example.body ?? {}, choice) as object),
          ...(route.projectIn === 'body' ? { projectId: project.projectId } : {}),
          ...(route.projectIn === 'key' ? { projectKey: project.projectKey, ref: 'someone' } : {}),
        };
        const pathId = choice > 0 ? (existingPathId(existing, route.path, choice) ?? id) : id;
        const address = route.path
          .replace('{projectId}', project.projectId)
          .replace(/\{\w+\}/g, pathId);
        const { status } = await service.call(route.method, address, {
          as: 'operator',
          // Some go out as they are, so that decisions and conflicts are reached.
          body: choice === 3 ? example : (mutate(example, path, value) ?? null),
          ...(route.projectIn === 'query' ? { query: { projectId: project.projectId } } : {}),
          headers: {
            ...(choice === 1 ? { 'idempotency-key': `k${which % 50}` } : {}),
            ...(route.access.by === 'widget' ? { authorization: `Bearer ${widgetToken}` } : {}),
          },
        });
        seen.set(status, (seen.get(status) ?? 0) + 1);
        expect(status, `${route.method} ${route.path}`).toBeLessThan(500);
      },
    ),
    { numRuns: rounds(500, 1_500), examples },
  );
  // The bodies reach all the way in: some are taken, some are refused by what is stored.
  expect([...seen.keys()]).toEqual(expect.arrayContaining([200, 400, 404, 409]));
});

test('the examples of the reference fit their own routes', async () => {
  const { compileCheck } = await import('../../src/platform/http/routes/validate.ts');
  for (const route of service.routes) {
    if (!route.body) continue;
    const body = {
      ...(route.projectIn === 'body' ? { projectId: 'prj_x' } : {}),
      ...(route.example.body as object | undefined),
    };
    expect(() => compileCheck(route.body as never, 'body')(body), route.path).not.toThrow();
  }
  for (const route of service.routes) {
    expect(
      () => compileCheck(route.answer, 'body')(route.example.answer),
      route.path,
    ).not.toThrow();
  }
});
