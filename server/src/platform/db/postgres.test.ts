import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createDatabase, isUnavailable } from './database.ts';
import { openPostgres } from './postgres.ts';

/** A message of PostgreSQL's protocol: its kind, its length, its content. */
function message(kind: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(kind), length, content]);
}

const WELCOME = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]);
const FAREWELL = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0'));

let welcomed = 0;
const server = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', () => {
    welcomed += 1;
    socket.end(Buffer.concat([WELCOME, FAREWELL]));
  });
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
});

test('a server that takes leave as it welcomes is not available, and ends nobody else', async () => {
  const { port } = server.address() as AddressInfo;
  const driver = openPostgres({
    connectionString: `postgres://goodword@127.0.0.1:${port}/goodword`,
    poolSize: 1,
    onIdleError: () => undefined,
  });
  const database = createDatabase(driver);
  for (const ask of [
    () => database.transaction((tx) => tx.query('select 1')),
    () => database.reads.query('select 1'),
  ]) {
    const refusal = await ask().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Error);
    expect(isUnavailable(refusal)).toBe(true);
  }
  expect(welcomed).toBeGreaterThan(1);
  await driver.close();
});

test('a pooler that has no connection for a welcomed client is not available', async () => {
  const silent = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(WELCOME));
  });
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const driver = openPostgres({
    connectionString: `postgres://goodword@127.0.0.1:${port}/goodword`,
    poolSize: 1,
    onIdleError: () => undefined,
  });
  const asked = driver.query('select 1').catch((error: unknown) => error);
  await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
  const forward = setInterval(() => vi.advanceTimersByTime(2_000), 20);
  expect(isUnavailable(await asked)).toBe(true);
  clearInterval(forward);
  vi.useRealTimers();
  await driver.close();
  silent.close();
});
