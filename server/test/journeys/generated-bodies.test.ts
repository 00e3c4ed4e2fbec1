import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Route } from '../../src/http/route.ts';
import { startService, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let project: TestProject;
let writeRoutes: Route[];
beforeAll(async () => {
  service = await startService();
  project = await service.newProject();
  writeRoutes = service.routes.filter((route) => route.method !== 'GET');
});
afterAll(() => service.close());

/** Values that have broken programs before. */
const nasty = fc.constantFrom<unknown>(
  null,
  '',
  ' ',
  'x'.repeat(10_000),
  'a\u0000b',
  '\ud800',
  '-0',
  '1e3',
  '00',
  '9'.repeat(30),
  -1,
  0,
  1.5,
  2 ** 53,
  1e308,
  true,
  [],
  {},
  [[]],
  JSON.parse('{"__proto__":1}'),
  '2026-02-30T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59-23:59',
  'https://example.com/\u0000',
  'javascript:alert(1)',
  'constructor',
  '__proto__',
  `'; drop table participants; --`,
  '😀'.repeat(512),
);
const anything = fc.oneof(nasty, fc.jsonValue({ maxDepth: 4 }), fc.string({ unit: 'binary' }));

/** Puts a value at a random place of the route's own example, so that most of the body is right. */
function mutate(example: unknown, path: readonly number[], value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined || example === null || typeof example !== 'object') return value;
  const names = Object.keys(example);
  const name = names[step % (names.length + 1)] ?? 'unknownField';
  const member = (example as Record<string, unknown>)[name];
  return Array.isArray(example)
    ? example.map((one) => (one === member ? mutate(one, rest, value) : one))
    : { ...example, [name]: mutate(member, rest, value) };
}

test('no generated body makes any write route answer with a 5xx', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.array(fc.nat({ max: 12 }), { minLength: 0, maxLength: 3 }),
      anything,
      fc.constantFrom('x_nothing', '%00', 'é', 'a'.repeat(600)),
      async (which, path, value, id) => {
        const route = writeRoutes[which % writeRoutes.length] as Route;
        const example = {
          ...(route.projectIn === 'body' ? { projectId: project.projectId } : {}),
          ...((route.example.body as object | undefined) ?? {}),
        };
        const address = route.path
          .replace('{projectId}', project.projectId)
          .replace(/\{\w+\}/g, id);
        const { status } = await service.call(route.method, address, {
          as: 'operator',
          body: mutate(example, path, value) ?? null,
          ...(route.projectIn === 'query' ? { query: { projectId: project.projectId } } : {}),
        });
        expect(status, `${route.method} ${route.path}`).toBeLessThan(500);
      },
    ),
    { numRuns: 1_500 },
  );
});

test('the examples of the reference fit their own routes', async () => {
  const { compileCheck } = await import('../../src/http/validate.ts');
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
