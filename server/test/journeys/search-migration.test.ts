import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchKeysOf } from '../../src/domain/participants/search-keys.ts';
import { becomePartner } from '../become-partner.ts';
import { openService, type TestService } from '../harness.ts';
import { openShop } from '../shop.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

const MIGRATION = new URL('../../migrations/0015_search_keys_folded.sql', import.meta.url);

const migration = readFileSync(MIGRATION, 'utf8');

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
  `${'ﷺ'.repeat(200)}`,
  'Łukasz Ørsted-Æther ŒUVRE Großmann Þór Đorđe Iğdır İzmir',
  'Jean‐Luc – O´Neil D`Arcy ‘Q’ ʻOkina',
  'ΟΔΥΣΣΕΥΣ Жанна ԱՐԱՄ',
  'Ａｄａ Ｆｕｌｌｗｉｄｔｈ ﬁne',
  '\u202eevil so\u00adft zero\u200bwidth ❤\ufe0f',
  "'", // Nothing is left of it.
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
    await tx.script(migration);
  });
  expect(await readKeys()).toEqual(saved);
});

/** Letters and signs of all scripts in use; of the large ones, which have no cases and accents, some. */
const RANGES = [
  [0x20, 0x2fff],
  [0x3000, 0x33ff],
  [0x4e00, 0x4eff],
  [0xa000, 0xa0ff],
  // From U+A7C0 on there are letters that this version of Node.js may not know.
  [0xa4d0, 0xa7bf],
  [0xa800, 0xabff],
  [0xac00, 0xacff],
  [0xf900, 0xfffd],
  [0x10400, 0x104ff],
  [0x1d400, 0x1d4ff],
  [0x1e900, 0x1e95f],
  [0x1f100, 0x1f6ff],
] as const;
const NAME_CHARACTERS = 10;

function* listNames(): Generator<string> {
  let name = '';
  for (const [first, last] of RANGES) {
    for (let code = first; code <= last; code += 1) {
      const character = String.fromCodePoint(code);
      if (/\p{Cn}/u.test(character)) continue;
      // At the beginning of a word, inside, and at the end.
      name += `${character}a${character} `;
      if ([...name].length < 4 * NAME_CHARACTERS) continue;
      yield name;
      name = '';
    }
  }
  yield name;
}

test('the migration folds every character as the program does', async () => {
  const shop = await openShop(service);
  const { projectId } = shop.project;
  const names = [...listNames()];
  const undo = new Error('Undone.');
  const read = service.database.transaction(async (tx) => {
    // The same person with another name, any number of times.
    await tx.query(
      `insert into participants select (jsonb_populate_record(null::participants, to_jsonb(p) || jsonb_build_object(
         'id', 'par_' || n, 'external_id', 'any-' || n, 'number', 1000 + n,
         'kind_number', 1000 + n, 'name', said))).*
       from (select * from participants where project_id = $1 limit 1) as p
       cross join unnest($2::text[]) with ordinality as u (said, n)`,
      [projectId, names],
    );
    await tx.script(migration);
    const rows = await tx.query<{ name: string; keys: string[] }>(
      `select p.name, coalesce(array_agg(k.key) filter (where k.key is not null), '{}') as keys
       from participants p left join search_keys k
         on k.project_id = p.project_id and k.participant_id = p.id
       where p.project_id = $1 and p.external_id like 'any-%' group by p.id, p.name`,
      [projectId],
    );
    throw Object.assign(undo, { rows });
  });
  const { rows } = (await read.catch((error) => error)) as {
    rows: { name: string; keys: string[] }[];
  };
  expect(rows).toHaveLength(names.length);
  const differing = rows.filter(({ name, keys }) => {
    const expected = searchKeysOf({ name, email: null });
    return JSON.stringify(keys.toSorted()) !== JSON.stringify(expected.toSorted());
  });
  expect(differing.map(({ name }) => name)).toEqual([]);
});
