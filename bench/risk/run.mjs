// How many referrals of honest people and of attackers are sent to review. See ../README.md.
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { startCluster } from '../kit/cluster.mjs';
import { importSource } from '../kit/import-source.mjs';
import { makeTemplate } from '../kit/projects.mjs';
import { callService, onPostgres, startService } from '../kit/service.mjs';
import { printTable } from '../kit/table.mjs';
import { Shopper } from './shopper.mjs';

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    /** Of the groups of each kind. */
    size: { type: 'string', default: '1' },
  },
});
const seed = Number(options.seed);
const { makeWorld } = await importSource('test/risk/world');
const { tally } = await importSource('test/risk/tally');

/** As many as the people of a world need who share an address. */
const NO_LIMIT = '1000000';

async function listReviews(service, { projectId, key }) {
  const reviews = new Map();
  for (let cursor = ''; cursor !== null; ) {
    const path = `/v1/risk-reviews?projectId=${projectId}&limit=100${cursor && `&cursor=${cursor}`}`;
    const { data, nextCursor } = await callService(service, 'GET', path, { key });
    for (const { referee, signals } of data) {
      reviews.set(
        referee.externalId,
        signals.map(({ signal }) => signal),
      );
    }
    cursor = nextCursor;
  }
  return reviews;
}

const percent = (part, of) => `${((part * 100) / of).toFixed(1)} %`;

function toRow({ intent, kind, referrals, reviewed, groups, noticed, signals }) {
  return {
    who: intent,
    kind: kind ?? 'all',
    referrals,
    reviewed,
    share: percent(reviewed, referrals),
    groups,
    'with a review': noticed,
    'what fired': signals.map(([signal, count]) => `${signal} ${count}`).join(', '),
  };
}

console.log(
  `${new Date().toISOString()}, ${cpus().length} cores, Node ${process.version}, seed ${seed}\n`,
);
const cluster = await startCluster();
const service = await startService({
  ...onPostgres(cluster),
  TRUST_PROXY: '1',
  CLICKS_PER_MINUTE: NO_LIMIT,
  WIDGET_CALLS_PER_MINUTE: NO_LIMIT,
});
const target = await makeTemplate(service, { rewardsPurchases: true, environment: 'sandbox' });
const { projectId, programId, key } = target;
await callService(service, 'POST', `/v1/programs/${programId}/risk-policies`, {
  body: { projectId, mode: 'review' },
  key,
});
const { secret } = await callService(service, 'POST', `/v1/projects/${projectId}/widget-secrets`);

const world = makeWorld(seed, Number(options.size));
const startedAt = performance.now();
await new Shopper(service, target, secret).do(world.calls);
const seconds = Math.round((performance.now() - startedAt) / 1_000);
const reviews = await listReviews(service, target);
printTable(tally(world, reviews).map(toRow));
console.log(`${world.calls.length} calls in ${seconds} s.`);
await service.stop();
await cluster.stop();
