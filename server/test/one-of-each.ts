import { expect } from 'vitest';
import type { TestProject, TestService } from './harness.ts';

/** Values that have broken programs before. */
export const NASTY: readonly unknown[] = [
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
];

/** Ids of things that exist, by prefix: with them a call gets past 404, to decisions and SQL. */
export type Existing = ReadonlyMap<string, readonly string[]>;

export async function makeOneOfEach(service: TestService, project: TestProject): Promise<Existing> {
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
export function withExisting(existing: Existing, example: unknown, which: number): unknown {
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

export function existingPathId(
  existing: Existing,
  path: string,
  which: number,
): string | undefined {
  const prefix = PREFIX_BY_PATH.find(([matches]) => matches.test(path))?.[1];
  const ids = (prefix && existing.get(prefix)) || [];
  return ids[which % ids.length];
}

/** Puts a value at a random place of the route's own example, so that most of the body is right. */
export function mutate(example: unknown, path: readonly number[], value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined || example === null || typeof example !== 'object') return value;
  const names = Object.keys(example);
  const name = names[step % (names.length + 1)] ?? 'unknownField';
  const member = (example as Record<string, unknown>)[name];
  return Array.isArray(example)
    ? example.map((one) => (one === member ? mutate(one, rest, value) : one))
    : { ...example, [name]: mutate(member, rest, value) };
}
