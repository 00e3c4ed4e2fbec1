import { once } from 'node:events';
import { resolve } from 'node:path';
import { Book } from './book.js';
import { createReporter } from './goodword.js';
import { handleEvent } from './handle-event.js';
import { createReceiver, PATH } from './receiver.js';

const {
  WEBHOOK_SECRET: secret,
  HOST: host = '127.0.0.1',
  PORT: port = '4000',
  LEDGER: ledger = 'ledger.jsonl',
  GOODWORD_URL: url,
  GOODWORD_KEY: key,
} = process.env;

/** @param {string} line */
const print = (line) => void process.stdout.write(`${line}\n`);

async function start() {
  if (!secret) throw new Error('Set WEBHOOK_SECRET to the secret of the endpoint, whsec_….');
  const book = await Book.open(resolve(ledger));
  const reportTakeBack = url && key ? createReporter({ url, key }) : null;
  const server = createReceiver({
    secret,
    handle: (event) => handleEvent({ book, reportTakeBack }, event),
    log: print,
  });
  server.listen(Number(port), host);
  await once(server, 'listening');
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  print(`\n  Address   http://${host}:${address.port}${PATH}\n  Ledger    ${resolve(ledger)}\n`);

  /** What is being handled is answered, then the process ends. */
  const stop = async () => {
    server.close();
    await once(server, 'close');
    await book.close();
  };
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, stop);
}

start().catch((error) => {
  process.stderr.write(`The receiver cannot start: ${error.message}\n`);
  process.exitCode = 1;
});
