// `npm run demo`: Goodword and the shop together, with everything set up between them.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createShop } from '../src/server.js';
import { openConsole } from './console.js';
import { DAYS, writeHistory } from './history.js';
import { launchGoodword } from './launch-goodword.js';
import { makeCall, setUp } from './set-up.js';

const HOST = '127.0.0.1';

/**
 * What to undo at the end, the last first.
 * @type {(() => Promise<unknown>)[]}
 */
const undo = [];

async function start() {
  const goodwordPort = readPort('DEMO_PORT');
  // The shop's address is needed before there is a shop: links lead to it.
  const server = createServer();
  const shopUrl = await listen(server, readPort('DEMO_SHOP_PORT'));
  undo.push(() => close(server));

  print('\n  Making a fresh database for the demo, with two months of history: some seconds.\n');
  const folder = await mkdtemp(join(tmpdir(), 'goodword-demo-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const adminToken = randomBytes(32).toString('hex');
  const goodword = launchGoodword({ folder, port: goodwordPort, adminToken });
  undo.push(() => goodword.stop());
  const { address: goodwordUrl, setupLink } = await goodword.ready.catch((error) => {
    throw new Error(goodwordPort ? `${error.message}\nIts PORT is DEMO_PORT here.` : error.message);
  });

  goodword.ended.then(() => fail('Goodword has ended.'));

  const call = makeCall({ goodwordUrl, adminToken });
  const settings = await setUp(call, { goodwordUrl, shopUrl });
  await writeHistory(call, settings);
  const console = await openConsole({ goodwordUrl, setupLink });
  const shop = createShop(settings);
  server.on('request', (request, response) => {
    if (request.url === console.path) void console.handle(request, response);
    else shop(request, response);
  });
  print(`
  The demo is running.

    Shop       ${shopUrl}
    Console    ${shopUrl}${console.path}
    Goodword   ${goodwordUrl}
    Docs       ${goodwordUrl}/docs

  Try this:

    1. In the shop, sign up as Alice, open the panel in the corner and copy her link.
    2. In a private window, follow the link, sign up as Bob and buy.
    3. As Alice, open the panel again: there is what she earned.
    4. Open the console, which signs you in: ${DAYS} days of made-up history, and now Alice.

  The clock of this sandbox was moved through that history, so it is ${DAYS} days ahead.

  It ignores the settings in your environment: it sends no mail and never touches your own ./data.
  Stop with Ctrl+C. What happened here is then forgotten.

`);
}

let isStopping = false;

/** @param {number} exitCode */
async function stop(exitCode) {
  if (isStopping) return;
  isStopping = true;
  for (const step of undo.reverse()) await step();
  process.exit(exitCode);
}

/** @param {string} message */
function fail(message) {
  // To stop while it starts makes starting fail: nothing to complain about.
  if (isStopping) return;
  process.stderr.write(`${message}\n`);
  return stop(1);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(0));

start().catch((error) => fail(`The demo cannot start.\n${error.message}`));

/** @param {string} name */
function readPort(name) {
  const text = process.env[name] || '0';
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new Error(`${name} must be a port from 0 to 65535 (0: any that is free), not "${text}".`);
}

/**
 * @param {import('node:http').Server} server
 * @param {number} port
 */
async function listen(server, port) {
  server.listen(port, HOST);
  await once(server, 'listening').catch((error) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Error(`Port ${port} is already in use. Set DEMO_SHOP_PORT to another, or to none.`);
  });
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  return `http://${HOST}:${address.port}`;
}

/** @param {import('node:http').Server} server */
async function close(server) {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

/** @param {string} text */
function print(text) {
  process.stdout.write(text);
}
