// How smoothly the console scrolls through a list, short and long. See ../README.md.
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { startCluster } from '../kit/cluster.mjs';
import { makeTemplate, writtenColumns } from '../kit/projects.mjs';
import { onPostgres, startService } from '../kit/service.mjs';
import { printTable } from '../kit/table.mjs';

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '10' },
    chromium: { type: 'string', default: '/usr/bin/chromium' },
  },
});
const SHORT = 200;
const LONG = Number(options.rows);
const SECONDS = Number(options.seconds);
/** About what a hand on a wheel does: two rows a frame. */
const PIXELS_PER_FRAME = 100;

async function addParticipants(cluster, projectId, count) {
  const columns = await writtenColumns(cluster.query, 'participants');
  await cluster.query(
    `insert into participants (${columns.join(', ')})
     select ${columns.map((name) => `copy.${name}`).join(', ')}
     from participants p, generate_series(1, $2::int) as n,
       jsonb_populate_record(null::participants, to_jsonb(p) || jsonb_build_object(
         'id', 'par_' || lpad(n::text, 26, '0'), 'external_id', 'person-' || n,
         'number', p.number + n, 'kind_number', p.kind_number + n)) as copy
     where p.project_id = $1`,
    [projectId, count],
  );
  await cluster.query(
    `update project_heads set numbers = numbers || jsonb_build_object(
       'participants', $2::int + 1, 'participants_individual', $2::int + 1)
     where project_id = $1`,
    [projectId, count],
  );
}

async function signIn(browser, service) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 850 } });
  const page = await context.newPage();
  await page.goto(service.setupLink);
  await page.getByLabel('Workspace').fill('Acme');
  await page.getByLabel('Your name').fill('Ada Example');
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.locator('input[type=password]').fill('a wide river in the north');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.waitForURL((url) => !url.pathname.endsWith('/setup'));
  return page;
}

/** Scrolls up and down for so long, and what it saw: run in the page. */
function scrollThrough({ seconds, pixels }) {
  return new Promise((resolve) => {
    const frames = [];
    let nodes = 0;
    let rows = 0;
    let [direction, last] = [1, performance.now()];
    const until = last + seconds * 1_000;
    const step = (now) => {
      frames.push(now - last);
      last = now;
      const end = document.documentElement.scrollHeight - window.innerHeight;
      if (window.scrollY >= end - pixels) direction = -1;
      if (window.scrollY <= pixels) direction = 1;
      window.scrollBy(0, direction * pixels);
      if (frames.length % 30 === 0) {
        nodes = Math.max(nodes, document.getElementsByTagName('*').length);
        rows = Math.max(rows, document.querySelectorAll('.data-row').length);
      }
      if (now < until) requestAnimationFrame(step);
      else resolve({ frames: frames.slice(1).sort((a, b) => a - b), nodes, rows });
    };
    requestAnimationFrame(step);
  });
}

/** Until the list has so many rows, as fast as they come. */
function readAll({ rows }) {
  return new Promise((resolve) => {
    const step = () => {
      window.scrollTo(0, document.documentElement.scrollHeight);
      const drawn = document.querySelectorAll('.data-row');
      const last = Number(drawn[drawn.length - 1]?.getAttribute('data-index') ?? 0);
      if (last >= rows - 1) resolve(last + 1);
      else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
}

async function measure(page, list, read) {
  const { frames, nodes, rows } = await page.evaluate(scrollThrough, {
    seconds: SECONDS,
    pixels: PIXELS_PER_FRAME,
  });
  const at = (share) => frames[Math.min(frames.length - 1, Math.floor(frames.length * share))];
  return {
    list,
    'rows read': read,
    'rows drawn': rows,
    nodes,
    frames: frames.length,
    'p50 ms': at(0.5).toFixed(1),
    'p95 ms': at(0.95).toFixed(1),
    'p99 ms': at(0.99).toFixed(1),
    'max ms': frames.at(-1).toFixed(1),
  };
}

const cluster = await startCluster();
const service = await startService({ ...onPostgres(cluster), CONSOLE_TOTP: 'optional' });
const [short, long] = [await makeTemplate(service), await makeTemplate(service)];
await addParticipants(cluster, short.projectId, SHORT);
await addParticipants(cluster, long.projectId, LONG);
await cluster.query('analyze');
const browser = await chromium.launch({
  executablePath: options.chromium,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ],
});
console.log(`${new Date().toISOString()}, ${cpus().length} cores, Node ${process.version}\n`);
const page = await signIn(browser, service);
const open = async ({ projectId }) => {
  await page.goto(`${service.url}/console/p/${projectId}/participants`);
  await page.locator('.data-row').first().waitFor();
};
const rows = [];
await open(short);
rows.push(await measure(page, 'short', SHORT));
await open(long);
rows.push(await measure(page, 'long, being read', ''));
const startedAt = performance.now();
const read = await page.evaluate(readAll, { rows: LONG });
const readSeconds = (performance.now() - startedAt) / 1_000;
rows.push(await measure(page, 'long, all read', read));
printTable(rows);
console.log(`\nThe rest of ${read} rows was read in ${readSeconds.toFixed(0)} s.`);
await browser.close();
await service.stop();
await cluster.stop();
