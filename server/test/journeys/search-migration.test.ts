import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { becomePartner } from '../become-partner.ts';
import { openService, type TestService } from '../harness.ts';
import { openShop } from '../shop.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

const MIGRATION = new URL('../../migrations/0004_search_keys.sql', import.meta.url);

/** The statement of the migration that reads the people of before. */
function fillStatement(): string {
  const sql = readFileSync(MIGRATION, 'utf8');
  const statement = sql.slice(sql.indexOf('with people as'));
  return statement.slice(0, statement.indexOf(';'));
}

const NAMES = [
  'Ada King  Lovelace',
  'Anne-Marie O’Neil (Acme)',
  "Conan O'Brien",
  'José Ångström',
  'Ada Ada',
  'ada\u00a0lovelace',
  '李小龙',
  '🎉 Party [x] `y` {z} a\\b',
  `${'long '.repeat(39)}name`,
];

test('people of before are found by the same keys as those whom the program saves', async () => {
  const shop = await openShop(service);
  const { projectId, key: as } = shop.project;
  for (const [at, name] of NAMES.entries()) {
    const participant = { kind: 'individual', externalId: `u-${at}` };
    const email = `Person.${at}@Example.com`;
    const { status } = await service.call('PUT', '/v1/participants', {
      as,
      body: { projectId, participant, name, email },
    });
    expect(status).toBe(200);
  }
  await becomePartner(service, shop.project, 'grace@example.com');
  const readKeys = () =>
    service.database.reads.query<{ key: string }>(
      `select participant_id as "participantId", key, of_partner as "ofPartner" from search_keys
       where project_id = $1 order by participant_id, key`,
      [projectId],
    );
  const saved = await readKeys();
  expect(saved.length).toBeGreaterThan(3 * NAMES.length);
  await service.database.transaction(async (tx) => {
    tx.send('delete from search_keys', []);
    tx.send(fillStatement(), []);
  });
  expect(await readKeys()).toEqual(saved);
});
