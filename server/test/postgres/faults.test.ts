import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '../../src/platform/db/database.ts';
import { openPostgres } from '../../src/platform/db/postgres.ts';
import { copyPostgres } from '../database.ts';
import { killAll, startProgram } from '../process.ts';

let copy: { url: string; drop(): Promise<void> };
beforeAll(async () => {
  copy = await copyPostgres();
});
afterAll(async () => {
  await killAll();
  await copy.drop();
});

test('options in the address of the database do not take ours away: times stay in UTC', async () => {
  const url = new URL(copy.url);
  const hostile = ['timezone=Asia/Kolkata', 'lock_timeout=1', 'statement_timeout=1', 'jit=on'];
  const options = ['work_mem=8MB', 'default_transaction_isolation=serializable', ...hostile];
  url.searchParams.set('options', options.map((one) => `-c ${one}`).join(' '));
  const database = createDatabase(
    openPostgres({ connectionString: url.href, poolSize: 1, onIdleError: () => undefined }),
  );
  const ask = `select '2026-11-15T12:00:00.5+05:30'::timestamptz as at, current_setting('work_mem') as memory,
    current_setting('transaction_isolation') as isolation, current_setting('statement_timeout') as statement,
    current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as stall,
    current_setting('plan_cache_mode') as plans, current_setting('jit') as jit`;
  const same = { at: '2026-11-15T06:30:00.500Z', memory: '8MB', isolation: 'read committed' };
  expect((await database.reads.query(ask))[0]).toMatchObject({ ...same, statement: '30s' });
  expect((await database.transaction((tx) => tx.query(ask)))[0]).toEqual({
    ...same,
    statement: '0',
    lock: '5s',
    stall: '5s',
    plans: database.isDistributed() ? 'auto' : 'force_generic_plan',
    jit: 'off',
  });
  await database.close();
});

test('connections cut under load: answers are 200 or 503, and every fact answered with 200 is there once', async () => {
  const adminToken = 'b'.repeat(40);
  const program = await startProgram({
    DATABASE_URL: copy.url,
    ADMIN_TOKEN: adminToken,
    ROOT_KEY: Buffer.alloc(32, 5).toString('base64'),
    LOG_LEVEL: 'silent',
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  const operate = async (path: string, body: object): Promise<any> => {
    const answer = await fetch(program.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${adminToken}` },
      body: JSON.stringify(body),
    });
    return answer.json();
  };
  const workspaceId = (await operate('/v1/workspaces', { name: 'Acme' })).data.id;
  const place = { workspaceId, environment: 'live', name: 'Shop' };
  const projectId = (await operate('/v1/projects', place)).data.id;
  const { key } = await operate('/v1/api-keys', { ...place, permissions: 'full' });
  const headers = { 'content-type': 'application/json', 'x-api-key': key };

  const admin = new pg.Client({ connectionString: copy.url, application_name: 'cutter' });
  await admin.connect();
  const cut = () =>
    admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name like 'goodword-%' and datname = current_database()`,
    );
  const statuses = new Map<string, number>();
  for (let round = 0; round < 12; round += 1) {
    const writes = Array.from({ length: 40 }, async (_, n) => {
      const externalId = `r${round}-${n}`;
      const answer = await fetch(`${program.url}/v1/participants`, {
        method: 'PUT',
        headers,
        body: JSON.stringify({ projectId, participant: { kind: 'individual', externalId } }),
      });
      if (answer.status === 503) expect(answer.headers.get('retry-after')).not.toBeNull();
      statuses.set(externalId, answer.status);
    });
    await cut();
    await Promise.all(writes);
  }
  expect([...statuses.values()].filter((status) => status !== 200 && status !== 503)).toEqual([]);

  const { rows } = await admin.query<{ external_id: string; position: string }>(
    `select p.external_id, f.position from feed_events f
     join participants p on p.project_id = f.project_id
       and p.id = f.data->'participant'->>'$party'
     where f.project_id = $1 order by f.position`,
    [projectId],
  );
  await admin.end();
  const announced = rows.map((row) => row.external_id);
  expect(new Set(announced).size).toBe(announced.length);
  expect(rows.map((row) => Number(row.position))).toEqual(rows.map((_, index) => index + 1));
  const acknowledged = [...statuses].filter(([, status]) => status === 200).map(([name]) => name);
  expect(acknowledged.filter((name) => !announced.includes(name))).toEqual([]);
  expect(acknowledged.length).toBeGreaterThan(0);
});
