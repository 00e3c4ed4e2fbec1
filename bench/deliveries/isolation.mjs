// How much later a healthy endpoint gets its events while others beside it misbehave. See ../README.md.
import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { startCluster } from '../kit/cluster.mjs';
import { importSource } from '../kit/import-source.mjs';
import { copyProject, makeTemplate, signUp } from '../kit/projects.mjs';
import { ROOT_KEY, startService } from '../kit/service.mjs';
import { addEndpoint, fill, measurePace, settingsOf, startReceiver } from './parts.mjs';

const { createKeyring } = await importSource('src/platform/kit/keyring');

const BACKLOG = 20_000;
/** Enough for the crowd to be in the state in which it stays. */
const SETTLE_MS = 5_000;
const EVENTS_PER_SECOND = 50;
const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const BAD = ['hang', 'drip', 'fail', 'reset'];

/** `perProject` endpoints in each of so many Projects; 0 Projects: in that of the healthy one. */
const CASES = {
  '1,000 hang, 100 projects': { projects: 100, perProject: 10, kinds: ['hang'] },
  '40 hang, 4 projects': { projects: 4, perProject: 10, kinds: ['hang'] },
  '12 bad, same project': { projects: 0, perProject: 12, kinds: BAD },
  '12 bad, another project': { projects: 1, perProject: 12, kinds: BAD },
};

/** The bad ones exist from the start; what waits for them comes after the baseline. */
async function measureCase(name, { projects, perProject, kinds }, seconds) {
  const cluster = await startCluster();
  const count = Math.max(1, projects) * perProject;
  const receiver = await startReceiver(1);
  // In a process of its own: the healthy one is not to be late by what the others do to theirs.
  const badReceiver = await startReceiver(count);
  const service = await startService(settingsOf(cluster, 'all'));
  const target = await makeTemplate(service);
  await fill(service, [target], Math.ceil(BACKLOG / count / 5));
  const crowd = projects === 0 ? [target] : await copyProject(cluster.query, target, 'c', projects);
  const healthy = { port: receiver.ports[0], path: '/hooks' };
  await addEndpoint(service, target, healthy, { fulfillmentMode: 'explicit' });
  for (let n = 0; n < 20; n += 1) await signUp(service, target, `warm-${n}`);
  const pace = { seconds, eventsPerSecond: EVENTS_PER_SECOND };
  const baseline = await measurePace(service, target, receiver, pace);
  await addCrowd(cluster, crowd, { perProject, kinds, ports: badReceiver.ports });
  await delay(SETTLE_MS);
  const load = loadavg()[0].toFixed(1);
  const beside = await measurePace(service, target, receiver, pace);
  await service.stop();
  await receiver.stop();
  await badReceiver.stop();
  await cluster.stop();
  const ratio = (key) => (beside[key] / baseline[key]).toFixed(1);
  return {
    case: name,
    load,
    events: `${beside.events}/${baseline.events}`,
    'baseline p50': baseline['p50 ms'],
    'baseline p90': baseline['p90 ms'],
    'beside p50': beside['p50 ms'],
    'beside p90': beside['p90 ms'],
    'p50 ratio': ratio('p50 ms'),
    'p90 ratio': ratio('p90 ms'),
  };
}

async function addCrowd(cluster, crowd, { perProject, kinds, ports }) {
  const endpoints = crowd.flatMap(({ projectId }, index) =>
    Array.from({ length: perProject }, (_, n) => {
      const number = index * perProject + n;
      const url = `http://127.0.0.1:${ports[number]}/${kinds[number % kinds.length]}`;
      return { projectId, number, url };
    }),
  );
  const keyring = createKeyring(Buffer.from(ROOT_KEY, 'base64'));
  const seal = ({ projectId, number }) =>
    keyring.seal('endpoint-secret', SECRET, `${projectId}/whe_${number}`);
  await cluster.query(
    `insert into webhook_endpoints (project_id, id, url, api_version, fulfillment_mode, queue_id,
       secrets, created_at, updated_at)
     select e.project_id, 'whe_' || e.number, e.url, '2026-10-04', 'explicit', 'whq_' || e.number,
       jsonb_build_array(jsonb_build_object('sealed', e.sealed, 'rotatedAt', null)), now(), now()
     from unnest($1::text[], $2::integer[], $3::text[], $4::text[])
       as e (project_id, number, url, sealed)`,
    [
      endpoints.map(({ projectId }) => projectId),
      endpoints.map(({ number }) => number),
      endpoints.map(({ url }) => url),
      endpoints.map(seal),
    ],
  );
  const ids = crowd.map(({ projectId }) => projectId);
  await cluster.query(
    `update project_heads set config_number = config_number + 1 where project_id = any ($1)`,
    [ids],
  );
  await cluster.query(
    `insert into webhook_deliveries (project_id, queue_id, position, attempts, is_retry, due_at)
     select e.project_id, e.queue_id, f.position, 0, false, '1970-01-01Z'
     from webhook_endpoints e join feed_events f on f.project_id = e.project_id
     where e.id = any ($1) and f.position <= $2`,
    [endpoints.map(({ number }) => `whe_${number}`), Math.floor(BACKLOG / endpoints.length)],
  );
}

/** Rows of a table; `only` names the cases by a part of their name, empty for all. */
export async function measureIsolation({ seconds, only }) {
  const rows = [];
  for (const [name, one] of Object.entries(CASES)) {
    if (!name.includes(only)) continue;
    const row = await measureCase(name, one, seconds);
    console.log(JSON.stringify(row));
    rows.push(row);
  }
  return rows;
}
