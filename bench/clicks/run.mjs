// Followed links and landings beside a bare Fastify route and signups. See ../README.md.
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startCluster } from '../kit/cluster.mjs';
import { drive, driveRequests, get, post, warmUp } from '../kit/drive.mjs';
import { importSource } from '../kit/import-source.mjs';
import { makeTemplate } from '../kit/projects.mjs';
import { callService, onPostgres, ROOT_KEY, startService } from '../kit/service.mjs';
import { printTable } from '../kit/table.mjs';

const BARE = fileURLToPath(new URL('./bare.mjs', import.meta.url));
/** More than anything here reaches: each landing has a token of its own. */
const TOKENS_PER_SECOND = 15_000;
/** As high as they go: all visitors of a benchmark come from one address. */
const NO_LIMITS = { CLICKS_PER_MINUTE: '1000000', LINK_VISITS_PER_MINUTE: '1000000' };
const BROWSER = {
  'User-Agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  Accept: '*/*',
};

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    connections: { type: 'string', default: '1,16,64' },
    codes: { type: 'string', default: '2000' },
    only: { type: 'string', default: 'link,code,token' },
  },
});
/** Of several checkouts, all are measured in turn. */
const checkouts = positionals.length > 0 ? positionals : ['.'];
const list = (text) => text.split(',').map(Number);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
const seconds = Number(options.seconds ?? (options.quick ? 2 : 4));
const rounds = Number(options.rounds ?? (options.quick ? 1 : 3));

/** Codes of as many people, as the links of a busy campaign are. */
async function makeCodes(service, { projectId, programId, key }, count) {
  const codes = Array.from({ length: count }, (_, n) => `friend-${n}`);
  const left = [...codes];
  const makeSome = async () => {
    for (let code = left.pop(); code !== undefined; code = left.pop()) {
      const participant = { kind: 'individual', externalId: code };
      const body = { projectId, programId, participant, code };
      await callService(service, 'POST', '/v1/referral-codes', { body, key });
    }
  };
  await Promise.all(Array.from({ length: 16 }, makeSome));
  return codes;
}

/** The kinds of requests, each with the route that a bare server needs for it. */
async function describeKinds({ projectId, projectKey }, codes) {
  const { makeClickToken } = await importSource('src/domain/clicks/links/click-token');
  const { createKeyring } = await importSource('src/platform/kit/keyring');
  const keyring = createKeyring(Buffer.from(ROOT_KEY, 'base64'));
  const landing = (code, click) => ({
    before: post(
      '/v1/clicks',
      {
        projectKey,
        ...(click === undefined ? {} : { click }),
        ref: code,
        url: `https://example.com/?utm_source=news&utm_medium=mail&ref=${code}`,
        referrer: 'https://blog.example.org/',
      },
      { ...BROWSER, Origin: 'https://example.com' },
    ),
  });
  let made = 0;
  const makeToken = (name) => {
    made += 1;
    const id = `${Date.now().toString(16)}${made.toString(16)}`.padStart(32, '0');
    return makeClickToken(keyring, projectId, { id, name, expiresMs: Date.now() + 600_000 });
  };
  const tokens = Math.ceil((seconds + 2) * TOKENS_PER_SECOND);
  return {
    link: {
      method: 'GET',
      url: '/l/:projectKey/:name',
      status: '302',
      requests: () => codes.map((code) => ({ before: get(`/l/${projectKey}/${code}`, BROWSER) })),
    },
    code: {
      method: 'POST',
      url: '/v1/clicks',
      status: '200',
      requests: () => codes.map((code) => landing(code)),
    },
    token: {
      method: 'POST',
      url: '/v1/clicks',
      status: '200',
      isInOrder: true,
      requests: () =>
        Array.from({ length: tokens }, (_, n) => {
          const code = codes[n % codes.length];
          return landing(code, makeToken(code));
        }),
    },
  };
}

/** The service's answer to a kind of request, for a bare server to give. */
async function readAnswer({ url }, { method, requests }) {
  const [text] = requests().map(({ before }) => before);
  const [head, body] = text.split('\r\n\r\n');
  const path = head.split(' ', 2)[1];
  const response = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: Object.fromEntries(
      head
        .split('\r\n')
        .slice(2)
        .map((line) => line.split(': '))
        .filter(([name]) => name !== 'Content-Length'),
    ),
    ...(body === '' ? {} : { body }),
  });
  const answer = await response.text();
  const ofServer = new Set(['connection', 'content-length', 'date', 'keep-alive']);
  return {
    status: response.status,
    headers: Object.fromEntries([...response.headers].filter(([name]) => !ofServer.has(name))),
    body: answer === '' ? '' : JSON.parse(answer),
  };
}

const NAMES = {
  link: 'followed link',
  code: 'landing with a code',
  token: 'landing with a token',
};

/** The service of a checkout, on a database of its own. */
async function openCheckout(cluster, checkout, index) {
  const database = await cluster.addDatabase(`checkout_${index}`);
  const program = join(resolve(checkout), 'server/dist/main.js');
  const service = await startService({ ...onPostgres(database), ...NO_LIMITS }, { program });
  const template = await makeTemplate(service);
  await warmUp([service], [template]);
  const codes = await makeCodes(service, template, Number(options.codes));
  // The database does so by itself within a minute.
  await database.query('analyze');
  return { checkout, service, template, kinds: await describeKinds(template, codes) };
}

/** For each kind of request, a bare server with the service's answer to it. */
async function startFloors({ service, kinds }, names) {
  const floors = {};
  for (const name of names) {
    const { method, url } = kinds[name];
    const answer = { method, url, ...(await readAnswer(service, kinds[name])) };
    floors[name] = await startService({ ANSWER: JSON.stringify(answer) }, { program: BARE });
  }
  return floors;
}

/** All that is compared, once: they take turns, so that a busy machine slows all alike. */
async function measureRound(cluster, opened, floors, connections) {
  const load = { cluster, connections, seconds };
  const run = (service, { requests, ...kind }) =>
    driveRequests({ ...load, services: [service], work: { ...kind, requests: requests() } });
  const round = {};
  for (const [name, floor] of Object.entries(floors)) {
    round[`floor ${name}`] = await run(floor, opened[0].kinds[name]);
    for (const { checkout, service, kinds } of opened) {
      round[`${checkout} ${name}`] = await run(service, kinds[name]);
    }
  }
  for (const { checkout, service, template } of opened) {
    round[`${checkout} signup`] = await drive({
      ...load,
      services: [service],
      targets: [template],
    });
  }
  return round;
}

function summarize(runs) {
  const middle = (name) => median(runs.map((one) => one[name]));
  const [serviceCpuMs, databaseCpuMs, generatorCpuMs] = [
    middle('serviceCpuMs'),
    middle('databaseCpuMs'),
    middle('generatorCpuMs'),
  ];
  return {
    perSecond: middle('perSecond'),
    p50: middle('p50'),
    p99: middle('p99'),
    serviceCpuMs,
    databaseCpuMs,
    generatorCpuMs,
    cpuMs: serviceCpuMs + databaseCpuMs + generatorCpuMs,
  };
}

function toRow(request, figures, { floor, signups } = {}) {
  return {
    request,
    'req/s': figures.perSecond.toFixed(0),
    'p50 ms': figures.p50.toFixed(2),
    'p99 ms': figures.p99.toFixed(2),
    'service CPU ms': figures.serviceCpuMs.toFixed(3),
    'database CPU ms': figures.databaseCpuMs.toFixed(3),
    'generator CPU ms': figures.generatorCpuMs.toFixed(3),
    'to the floor': floor ? (figures.perSecond / floor.perSecond).toFixed(2) : '',
    'by CPU': floor ? (floor.cpuMs / figures.cpuMs).toFixed(2) : '',
    'to signups': signups ? (figures.perSecond / signups.perSecond).toFixed(1) : '',
  };
}

async function measure(cluster, opened, floors, connections) {
  const measured = [];
  for (let n = 0; n < rounds; n += 1) {
    measured.push(await measureRound(cluster, opened, floors, connections));
  }
  const figuresOf = (key) => summarize(measured.map((round) => round[key]));
  const label = (checkout, text) => (opened.length > 1 ? `${text}, ${checkout}` : text);
  const rows = [];
  for (const name of Object.keys(floors)) {
    const floor = figuresOf(`floor ${name}`);
    rows.push(toRow(`${NAMES[name]}, bare`, floor));
    for (const { checkout } of opened) {
      const signups = figuresOf(`${checkout} signup`);
      const own = figuresOf(`${checkout} ${name}`);
      rows.push(toRow(label(checkout, NAMES[name]), own, { floor, signups }));
    }
  }
  for (const { checkout } of opened) {
    rows.push(toRow(label(checkout, 'signup with a code'), figuresOf(`${checkout} signup`)));
  }
  console.log(`${connections} connections; medians of ${rounds}`);
  printTable(rows);
}

console.log(`${new Date().toISOString()}, ${cpus().length} cores, Node ${process.version}\n`);
const cluster = await startCluster();
const started = [];
try {
  const opened = [];
  for (const [index, checkout] of checkouts.entries()) {
    const one = await openCheckout(cluster, checkout, index);
    opened.push(one);
    started.push(one.service);
  }
  const floors = await startFloors(opened[0], options.only.split(','));
  started.push(...Object.values(floors));
  for (const connections of list(options.connections)) {
    await measure(cluster, opened, floors, connections);
  }
} finally {
  await Promise.all(started.map((service) => service.stop()));
  await cluster.stop();
}
