import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Route } from '../../src/http/route.ts';
import { startService, type TestProject, type TestService } from '../harness.ts';
import { makeSigner, newWidgetSecret } from '../widget-token.ts';

let service: TestService;
let project: TestProject;
let writeRoutes: Route[];
/** Ids of things that exist, by prefix: with them a body gets past 404, to decisions and SQL. */
let existing: Map<string, string[]>;
let widgetToken: string;
beforeAll(async () => {
  service = await startService();
  project = await service.newProject();
  writeRoutes = service.routes.filter((route) => route.method !== 'GET');
  existing = await makeOneOfEach();
  const { secret } = await newWidgetSecret(service, project);
  widgetToken = await makeSigner(service, project, secret)();
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

async function makeOneOfEach(): Promise<Map<string, string[]>> {
  const { projectId, workspaceId } = project;
  const found: string[] = [projectId, workspaceId];
  const post = async (path: string, body: object) => {
    const answer = await service.call('POST', path, { as: 'operator', body });
    expect([path, answer.status]).toEqual([path, 200]);
    found.push(...(JSON.stringify(answer.body).match(/\b[a-z]+_[0-9a-z]{26}\b/g) ?? []));
    return answer.body;
  };
  const participant = { kind: 'individual', externalId: 'someone' };
  for (const kind of ['affiliate', 'loyalty', 'referral']) {
    const program = await post('/v1/programs', {
      projectId,
      kind,
      name: kind,
      config: {
        brandConfig: { landingPageUrl: 'https://example.com' },
        partnerApplicationsOpen: kind === 'affiliate',
      },
    });
    const programId = program.data.id;
    await post(`/v1/programs/${programId}/status`, { projectId, status: 'active' });
    if (kind === 'referral') {
      await post('/v1/enrollments', { projectId, programId, participant });
      await post('/v1/referral-links', { projectId, programId, participant, slug: 'someone' });
      await post('/v1/benefit-rules', {
        projectId,
        programId,
        eventType: 'purchase',
        beneficiaryRole: 'referrer',
        name: 'Rule',
        terms: {
          benefitKind: 'custom',
          quantity: 1,
          unit: { key: 'gb', name: 'GB', namePlural: 'GB' },
        },
      });
    }
    if (kind === 'affiliate') {
      const application = { name: 'Ada', email: 'ada@example.com', profileType: 'individual' };
      await post('/v1/partner-applications', { projectId, programId, ...application });
    }
  }
  await post('/v1/sources', { projectId });
  await post('/v1/webhook-endpoints', { projectId, url: 'https://shop.example.com/webhooks' });
  await post(`/v1/projects/${projectId}/widget-secrets`, {});
  await post('/v1/api-keys', {
    workspaceId,
    environment: 'sandbox',
    name: 'Spare',
    permissions: 'full',
  });
  const byPrefix = new Map<string, string[]>();
  for (const id of found) {
    const prefix = id.split('_')[0] as string;
    byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), id]);
  }
  return byPrefix;
}

/** Replaces the made-up ids of an example (`prg_01ka3m…`) by ids of things that exist. */
function withExisting(example: unknown, which: number): unknown {
  const text = JSON.stringify(example).replace(/\b([a-z]+)_01ka3m…/g, (made, prefix: string) => {
    const ids = existing.get(prefix) ?? [];
    return ids[which % ids.length] ?? made;
  });
  return JSON.parse(text);
}

const PREFIX_BY_PATH: readonly [RegExp, string][] = [
  [/^\/v1\/programs/, 'prg'],
  [/^\/v1\/benefit-rules/, 'rul'],
  [/^\/v1\/enrollments/, 'enr'],
  [/^\/v1\/participants/, 'par'],
  [/^\/v1\/sources/, 'src'],
  [/^\/v1\/api-keys/, 'key'],
  [/widget-secrets/, 'wsk'],
  [/^\/v1\/partner-applications/, 'preq'],
  [/^\/v1\/webhook-endpoints/, 'whe'],
];

function existingPathId(path: string, which: number): string | undefined {
  const prefix = PREFIX_BY_PATH.find(([matches]) => matches.test(path))?.[1];
  const ids = (prefix && existing.get(prefix)) || [];
  return ids[which % ids.length];
}

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

const seen = new Map<number, number>();

test('no generated body makes any write route answer with a 5xx', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.array(fc.nat({ max: 12 }), { minLength: 0, maxLength: 3 }),
      anything,
      fc.constantFrom('x_nothing', '%00', 'é', 'a'.repeat(600)),
      fc.nat({ max: 3 }),
      async (which, path, value, id, choice) => {
        const route = writeRoutes[which % writeRoutes.length] as Route;
        const example = {
          ...(withExisting(route.example.body ?? {}, choice) as object),
          ...(route.projectIn === 'body' ? { projectId: project.projectId } : {}),
          ...(route.projectIn === 'key' ? { projectKey: project.projectKey, ref: 'someone' } : {}),
        };
        const pathId = choice > 0 ? (existingPathId(route.path, choice) ?? id) : id;
        const address = route.path
          .replace('{projectId}', project.projectId)
          .replace(/\{\w+\}/g, pathId);
        const { status } = await service.call(route.method, address, {
          as: 'operator',
          // Some go out as they are, so that decisions and conflicts are reached for certain.
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
    { numRuns: 1_500 },
  );
  // The bodies reach all the way in: some are taken, some are refused by what is stored.
  expect([...seen.keys()]).toEqual(expect.arrayContaining([200, 400, 404, 409]));
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
