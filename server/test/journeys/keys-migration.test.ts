import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openService, type TestService } from '../harness.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

const migration = readFileSync(
  new URL('../../migrations/0023_program_plans.sql', import.meta.url),
  'utf8',
);
const updates = [...migration.matchAll(/^update [\s\S]*?;$/gm)].map(([statement]) => statement);

const NAMES = [
  'Invite a friend',
  'invite  a FRIEND!',
  '10 for each',
  '友達',
  '友',
  'a'.repeat(120),
];
const KEYS = [
  'invite-a-friend--1',
  'invite-a-friend--2',
  'WHAT-10-for-each',
  'WHAT--4',
  'WHAT--5',
  'a'.repeat(40),
];

test('programs and rules of before get valid keys of their own, made of their names', async () => {
  const { projectId, key: as } = await service.newProject();
  const post = async (path: string, body: object) =>
    (await service.call('POST', path, { as, body: { projectId, ...body } })).body.data;
  const programs = [];
  for (const name of NAMES) programs.push(await post('/v1/programs', { kind: 'referral', name }));
  for (const name of NAMES) {
    await post('/v1/benefit-rules', {
      programId: programs[0].id,
      eventType: 'purchase',
      beneficiaryRole: 'referrer',
      purpose: 'bonus',
      name,
      terms: { benefitKind: 'cash', calculation: 'percentage', rateBps: 100 },
    });
  }
  expect(updates).toHaveLength(2);
  await service.database.transaction(async (tx) => {
    for (const statement of updates) await tx.query(statement, []);
  });
  const keysIn = async (table: string) =>
    (
      await service.database.reads.query<{ key: string }>(
        `select key from ${table} where project_id = $1 order by number`,
        [projectId],
      )
    ).map(({ key }) => key);
  expect(await keysIn('programs')).toEqual(KEYS.map((key) => key.replace('WHAT', 'program')));
  const rules = await keysIn('benefit_rules');
  expect(rules).toEqual(KEYS.map((key) => key.replace('WHAT', 'rule')));
  for (const key of rules) expect(key).toMatch(/^[a-z][a-z0-9-]{0,62}$/);
});
