import { once } from 'node:events';
import { createServer } from 'node:http';
import { createShop } from './server.js';

/** @param {string} name */
function need(name) {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name}; README.md says to what.`);
  return value;
}

async function start() {
  const settings = {
    goodwordUrl: need('GOODWORD_URL'),
    key: need('GOODWORD_KEY'),
    projectId: need('PROJECT'),
    projectKey: need('PROJECT_KEY'),
    programId: need('PROGRAM'),
    sourceId: need('SOURCE'),
    widgetSecret: need('WIDGET_SECRET'),
  };
  const { protocol, hostname, port } = new URL(process.env.SHOP_URL ?? 'http://localhost:3000');
  if (protocol !== 'http:') throw new Error('SHOP_URL must begin with http: this shop has no TLS.');
  const server = createServer();
  server.listen(Number(port || 80), hostname);
  await once(server, 'listening');
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  const shopUrl = `http://${hostname}:${address.port}`;
  server.on('request', createShop({ ...settings, shopUrl }));
  process.stdout.write(`\n  Address   ${shopUrl}\n\n`);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close());
}

start().catch((error) => {
  process.stderr.write(`The shop cannot start: ${error.message}\n`);
  process.exitCode = 1;
});
