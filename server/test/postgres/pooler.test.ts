import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharesConnections } from '../../src/platform/db/pooler.ts';
import { copyPostgres, type PostgresCopy } from '../database.ts';
import { startProgram } from '../process.ts';

/** A message of PostgreSQL's protocol: its kind, its length, its content. */
function message(kind: string, ...parts: (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  return Buffer.concat([Buffer.from(kind), int32(content.length + 4), content]);
}

function int32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32BE(value);
  return buffer;
}

const ONE = Buffer.from([0, 1]);
const READY = message('Z', 'I');
const WELCOME = Buffer.concat([message('R', int32(0)), READY]);
/** A column of text without a table. */
const columnOf = (name: string) =>
  message(
    'T',
    ONE,
    `${name}\0`,
    Buffer.alloc(6),
    int32(25),
    Buffer.from([0xff, 0xff]),
    int32(-1),
    Buffer.alloc(2),
  );

/** A pooler in transaction mode with a single connection, for texts that return one column at most. */
async function openPooler(url: string) {
  const connection = new pg.Client({ connectionString: url });
  await connection.connect();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('data', () => {
      socket.write(WELCOME);
      socket.on('data', async (data) => {
        if (String.fromCharCode(data[0] as number) !== 'Q') return;
        const { rows, fields, command } = await connection.query(
          data.toString('utf8', 5, data.length - 1),
        );
        const answers = rows.map((row) => {
          const value = String(Object.values(row)[0]);
          return message('D', ONE, int32(value.length), value);
        });
        const head = fields[0] ? [columnOf(fields[0].name)] : [];
        socket.write(Buffer.concat([...head, ...answers, message('C', `${command}\0`), READY]));
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const pooled = new URL(url);
  pooled.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: pooled.href,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await connection.end();
    },
  };
}

let copy: PostgresCopy;
let pooler: Awaited<ReturnType<typeof openPooler>>;
beforeAll(async () => {
  copy = await copyPostgres();
  pooler = await openPooler(copy.url);
});
afterAll(async () => {
  await pooler.close();
  await copy.drop();
});

test('a pooler in transaction mode is noticed, and a server itself is not taken for one', async () => {
  expect(await sharesConnections(pooler.url)).toBe(true);
  expect(await sharesConnections(copy.url)).toBe(false);
});

test('the service does not start behind it, and says what to do', async () => {
  const refused = await startProgram({
    DATABASE_URL: pooler.url,
    ADMIN_TOKEN: 'b'.repeat(40),
    ROOT_KEY: Buffer.alloc(32, 7).toString('base64'),
  }).catch((error: Error) => error);
  expect(String(refused)).toContain('Use its session mode, or connect to PostgreSQL directly.');
});
