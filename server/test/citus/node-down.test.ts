import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Fleet } from '../fleet.ts';
import { credential } from '../harness.ts';
import { asProduct, type Inbox, openInbox } from '../inbox.ts';
import { startLoad } from '../load.ts';
import { reconcile } from '../reconcile.ts';
import { openShop, type Shop } from '../shop.ts';

/** Shell commands that end a worker node as a crash would, and start it again. */
const { TEST_CITUS_KILL: killNode, TEST_CITUS_START: startNode } = process.env;
const run = (command = '') => execFileSync('sh', ['-c', command], { stdio: 'ignore' });

/** At least so many Projects on each node. */
const SHOPS = 2;
let fleet: Fleet;
let shops: Shop[];
let inboxes: Inbox[];
beforeAll(async () => {
  if (!killNode) return;
  fleet = await Fleet.open();
  await fleet.startApi();
  shops = [];
  while (!(await isSpread())) {
    shops.push(await openShop(fleet));
    expect(shops.length).toBeLessThan(50);
  }
  for (const shop of shops) {
    await shop.addRule({ benefitKind: 'cash', calculation: 'percentage', rateBps: 1_000 });
  }
  inboxes = await Promise.all(shops.map((shop) => openInbox(fleet, shop, asProduct)));
  await fleet.startWorker();
});
afterAll(async () => {
  if (!killNode) return;
  await Promise.all(inboxes.map((inbox) => inbox.close()));
  await fleet.close();
});

/** One signup, without patience: what the service answers at once. */
async function ask({ project, sourceNamespaceId }: Shop, name: string): Promise<number> {
  const participant = { kind: 'individual', externalId: name };
  const response = await fetch(`${fleet.api?.url}/v1/track/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credential(project.key) },
    body: JSON.stringify({
      projectId: project.projectId,
      sourceNamespaceId,
      type: 'signup',
      participant,
    }),
  });
  await response.text();
  return response.status;
}

/** Which node has each Project. */
async function findNodes(): Promise<Map<string, string>> {
  const rows = await fleet.database.reads.query<{ id: string; node: string }>(
    `select p.id, n.nodename || ':' || n.nodeport as node from projects p
     join pg_dist_placement l
       on l.shardid = get_shard_id_for_distribution_column('project_heads', p.id)
     join pg_dist_node n on n.groupid = l.groupid and n.noderole = 'primary'`,
  );
  return new Map(rows.map(({ id, node }) => [id, node]));
}

async function isSpread(): Promise<boolean> {
  const counts = new Map<string, number>();
  for (const node of (await findNodes()).values()) counts.set(node, (counts.get(node) ?? 0) + 1);
  return counts.size > 1 && [...counts.values()].every((count) => count >= SHOPS);
}

test.runIf(killNode && startNode)(
  'a node is killed under load: its Projects get 503 and the others go on; afterwards nothing is lost or doubled',
  async () => {
    const nodes = await findNodes();
    const load = startLoad(shops, { pauseMs: 100 });
    await delay(2_000);
    run(killNode);
    const answers = new Map<string, Set<number>>();
    try {
      for (let round = 0; round < 5; round += 1) {
        await Promise.all(
          shops.map(async (shop) => {
            const node = nodes.get(shop.project.projectId) ?? '';
            const status = await ask(shop, `meanwhile-${round}`);
            answers.set(node, (answers.get(node) ?? new Set()).add(status));
          }),
        );
      }
    } finally {
      run(startNode);
    }
    expect([...answers.values()].map((some) => [...some].join()).toSorted()).toEqual([
      '200',
      '503',
    ]);
    await expect
      .poll(() => Promise.all(shops.map((shop) => ask(shop, 'afterwards'))), { timeout: 60_000 })
      .toEqual(shops.map(() => 200));
    await load.stop();
    await fleet.drain({ waitsForRetries: false });
    await reconcile(fleet, inboxes, load.acknowledged);
  },
);
