import { execFile } from 'node:child_process';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { childProgram } from '../../../../test/process.ts';
import { type Receiver, receiveHttp, receiveTcp } from '../../../../test/receiver.ts';
import { createAddressRules, NOT_PUBLIC } from './address-rules.ts';
import { ANSWER_BYTES_MAX } from './exchange.ts';
import type { Lookup, Reach } from './resolve-host.ts';
import { createSender, type Sender, type SenderOptions } from './send-request.ts';

const CHILD = childProgram('send-request');
/** For requests that must not time out, and for those that must. */
const PATIENT_MS = 20_000;
const SHORT_MS = 250;
/** For requests that must connect in time, even on a busy machine, and then time out. */
const CONNECTED_MS = 1_500;

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const one of opened.splice(0)) await one.close();
});

async function http(listener: RequestListener): Promise<Receiver> {
  const receiver = await receiveHttp(listener);
  opened.push(receiver);
  return receiver;
}

async function tcp(listener: (socket: Socket) => void): Promise<Receiver> {
  const receiver = await receiveTcp(listener);
  opened.push(receiver);
  return receiver;
}

/** Answers after it has received the request. */
async function tcpSaying(...lines: readonly string[]): Promise<Receiver> {
  return tcp((socket) => void socket.once('data', () => socket.write(lines.join('\r\n'))));
}

const onLoopback: Reach = {
  rules: createAddressRules(['127.0.0.0/8', '::1/128']),
  lookup: async () => ['127.0.0.1'],
};

function newSender(options: Partial<SenderOptions> = {}): Sender {
  const sender = createSender({ reach: onLoopback, deadlineMs: PATIENT_MS, ...options });
  opened.push(sender);
  return sender;
}

const post = (url: string, options: Partial<SenderOptions> = {}) =>
  newSender(options).send({
    url,
    headers: { 'webhook-id': 'wev_1' },
    body: Buffer.from('{"a":"ü"}'),
  });

/** Neither query nor address of this URL may appear in a message. */
const urlOf = ({ port }: Receiver, host = 'shop.example') =>
  `http://${host}:${port}/hook?token=geheim`;

/** undici frees a connection one turn after its response was read. */
const untilFree = () => new Promise(setImmediate);

interface Seen {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

const seen: Seen[] = [];
beforeEach(() => void seen.splice(0));

const keep: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method, url: path, headers } = request;
    seen.push({ method, path, headers, body: Buffer.concat(chunks).toString() });
    response.end('thanks');
  });
};

test('posts the very bytes, with the headers, to the host by its name', async () => {
  const receiver = await http(keep);
  const result = await post(`http://shop.example:${receiver.port}/a%20b?c=d#e`);
  expect(result).toEqual({
    outcome: 'answered',
    status: 200,
    bodyStart: 'thanks',
    latencyMs: expect.any(Number),
  });
  expect(seen).toMatchObject([
    {
      method: 'POST',
      path: '/a%20b?c=d',
      body: '{"a":"ü"}',
      headers: {
        host: `shop.example:${receiver.port}`,
        'content-type': 'application/json',
        'content-length': '10',
        'user-agent': 'Goodword',
        'webhook-id': 'wev_1',
      },
    },
  ]);
});

test.each([202, 204, 400, 410, 429, 500])('status %i is an answer', async (status) => {
  const receiver = await http((_request, response) => void response.writeHead(status).end());
  expect(await post(urlOf(receiver))).toMatchObject({ outcome: 'answered', status, bodyStart: '' });
});

test.each([301, 302, 307, 308])(
  'a redirect (%i) is an answer and is not followed',
  async (status) => {
    const elsewhere = await http(keep);
    const receiver = await http((_request, response) => {
      response.writeHead(status, { location: urlOf(elsewhere) }).end();
    });
    expect(await post(urlOf(receiver))).toMatchObject({ outcome: 'answered', status });
    expect(elsewhere.connections()).toBe(0);
  },
);

test('64 KiB of a long answer are read, and its connection is closed', async () => {
  const chunk = Buffer.alloc(1_000_000, 'x');
  let chunksTaken = 0;
  const receiver = await http((_request, response) => {
    const more = () => {
      chunksTaken += 1;
      if (chunksTaken === 100) response.end();
      else if (!response.destroyed) response.write(chunk, more);
    };
    response.write(chunk, more);
  });
  const result = await post(urlOf(receiver));
  expect(result).toMatchObject({ outcome: 'answered', status: 200 });
  expect(result.outcome === 'answered' && result.bodyStart).toBe('x'.repeat(ANSWER_BYTES_MAX));
  await receiver.disconnected();
  // As much as fits into the buffers of the two sockets, but not all hundred.
  expect(chunksTaken).toBeLessThan(50);
});

test('a 10 MB answer that comes at once is cut as well', async () => {
  const receiver = await http((_request, response) => {
    response.writeHead(500).end(Buffer.alloc(10_000_000, 'x'));
  });
  expect(await post(urlOf(receiver))).toMatchObject({
    status: 500,
    bodyStart: 'x'.repeat(ANSWER_BYTES_MAX),
  });
  await receiver.disconnected();
});

test('an answer of exactly 64 KiB is read to its end, and its connection stays', async () => {
  const receiver = await http((_request, response) => {
    response.end(Buffer.alloc(ANSWER_BYTES_MAX, 'x'));
  });
  const sender = newSender();
  const request = { url: urlOf(receiver), headers: {}, body: Buffer.from('{}') };
  for (let n = 0; n < 3; n += 1) {
    expect(await sender.send(request)).toMatchObject({ bodyStart: 'x'.repeat(ANSWER_BYTES_MAX) });
    await untilFree();
  }
  expect(receiver.connections()).toBe(1);
});

test('what is no text is replaced, also where the limit cuts a character in two', async () => {
  const bodies = [Buffer.from([0x61, 0x00, 0xff, 0x62]), Buffer.from(`x${'ü'.repeat(40_000)}`)];
  const receiver = await http((_request, response) => void response.end(bodies.shift()));
  expect(await post(urlOf(receiver))).toMatchObject({ bodyStart: 'a\uFFFD\uFFFDb' });
  const cut = await post(urlOf(receiver));
  expect(cut.outcome === 'answered' && cut.bodyStart).toBe(`x${'ü'.repeat(32_767)}`);
});

/** Sends the first, and then repeats the other for as long as it can. */
const drip = (first: string, other: string) => (socket: Socket) => {
  socket.once('data', () => {
    socket.write(first);
    const timer = setInterval(() => socket.write(other), 5);
    socket.once('close', () => clearInterval(timer));
  });
};

test('a body that breaks off is as good as a whole one', async () => {
  const receiver = await tcp((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', () => socket.end());
    });
  });
  expect(await post(urlOf(receiver))).toMatchObject({ status: 200, bodyStart: 'half' });
});

test('whatever goes on for too long is cut off at the deadline', async () => {
  const until = { deadlineMs: CONNECTED_MS };
  const failing = {
    'never answers': (socket: Socket) => void socket.resume(),
    'drips its header': drip('HTTP/1.1 200 OK\r\nx: ', '.'),
    'says again and again that it goes on': drip('', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
  };
  const cut = Object.entries(failing).map(async ([what, listener]) => {
    const receiver = await tcp(listener);
    expect([what, await post(urlOf(receiver), until)]).toMatchObject([
      what,
      {
        outcome: 'failed',
        reason: 'timed_out',
        message: `There was no response within ${CONNECTED_MS} ms.`,
      },
    ]);
    await receiver.disconnected();
  });
  // The status line was in time.
  const receiver = await tcp(drip('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n', '.'));
  const result = await post(urlOf(receiver), until);
  expect(result).toMatchObject({ outcome: 'answered', status: 200 });
  expect(result.outcome === 'answered' && result.bodyStart).toMatch(/^\.+$/);
  await receiver.disconnected();
  await Promise.all(cut);
});

/** A receiver that never answers, and a promise for its first request. */
async function silent(): Promise<{ receiver: Receiver; arrived: Promise<void> }> {
  let arrive: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return { receiver: await tcp((socket) => void socket.once('data', arrive)), arrived };
}

test('ten seconds are the limit when nobody says otherwise', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { receiver, arrived } = await silent();
  const sender = createSender({ reach: onLoopback });
  opened.push(sender);
  const result = sender.send({ url: urlOf(receiver), headers: {}, body: Buffer.from('{}') });
  let isOver = false;
  void result.then(() => {
    isOver = true;
  });
  await arrived;
  await vi.advanceTimersByTimeAsync(9_999);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await result).toEqual({
    outcome: 'failed',
    reason: 'timed_out',
    message: 'There was no response within 10000 ms.',
    latencyMs: 10_000,
  });
});

const LOST = {
  outcome: 'failed',
  reason: 'connection_lost',
  message: 'The connection was closed without a response.',
};

test.each([
  ['resets', (socket: Socket) => void socket.resetAndDestroy()],
  ['closes', (socket: Socket) => void socket.end()],
  [
    'closes in the middle of the header',
    (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\nx:'),
  ],
])('a receiver that %s without an answer is told from one that is late', async (_name, end) => {
  const receiver = await tcp((socket) => void socket.once('data', () => end(socket)));
  expect(await post(urlOf(receiver))).toMatchObject(LOST);
});

test('what is not HTTP is no answer', async () => {
  const receiver = await tcpSaying('SSH-2.0-OpenSSH_9.2', '');
  expect(await post(urlOf(receiver))).toMatchObject({ reason: 'invalid_answer' });
  const switching = await tcpSaying('HTTP/1.1 101 Ok', 'connection: upgrade', 'upgrade: x', '', '');
  expect(await post(urlOf(switching))).toMatchObject({ reason: 'invalid_answer' });
  const wordy = await tcpSaying('HTTP/1.1 200 OK', `x: ${'y'.repeat(100_000)}`, '', '');
  expect(await post(urlOf(wordy))).toMatchObject({ reason: 'invalid_answer' });
});

test('nobody listens', async () => {
  const receiver = await tcp(() => undefined);
  await receiver.close();
  opened.pop();
  expect(await post(urlOf(receiver))).toMatchObject({
    reason: 'connection_failed',
    message: 'The connection failed (ECONNREFUSED).',
  });
});

test('a name that is not known, and one that is never answered, are told apart', async () => {
  const unknown: Lookup = async () => {
    throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
  };
  expect(
    await post('https://shop.example', { reach: { ...onLoopback, lookup: unknown } }),
  ).toMatchObject({ reason: 'name_not_resolved' });
  const silent: Lookup = () => new Promise(() => undefined);
  expect(
    await post('https://shop.example', {
      reach: { ...onLoopback, lookup: silent },
      deadlineMs: SHORT_MS,
    }),
  ).toMatchObject({
    reason: 'timed_out',
    message: `There was no connection within ${SHORT_MS} ms.`,
  });
});

test('the next address is tried when one does not take the connection', async () => {
  const receiver = await http(keep);
  const reach = { ...onLoopback, lookup: async () => ['::1', '127.0.0.1'] };
  expect(await post(urlOf(receiver), { reach })).toMatchObject({ status: 200 });
});

test.each([
  '127.0.0.1',
  '2130706433',
  '0177.0.0.1',
  '0x7f.1',
  '127.1',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  'localhost',
  'shop.example',
])('without an exception, %s reaches nothing on this machine', async (host) => {
  const receiver = await http(keep);
  const reach = { ...onLoopback, rules: createAddressRules([]) };
  for (const scheme of ['http', 'https']) {
    const result = await post(`${scheme}://${host}:${receiver.port}/?token=geheim`, { reach });
    expect(result).toMatchObject({
      outcome: 'failed',
      reason: 'address_refused',
      message: NOT_PUBLIC,
    });
  }
  expect(receiver.connections()).toBe(0);
});

test('a mapped address is not reached through an exception for the address in it', async () => {
  const receiver = await http(keep);
  expect(await post(urlOf(receiver, '[::ffff:127.0.0.1]'))).toMatchObject({
    reason: 'address_refused',
  });
  expect(receiver.connections()).toBe(0);
});

test('plain http leaves for no public address', async () => {
  const reach = { ...onLoopback, lookup: async () => ['93.184.216.34'] };
  for (const host of ['shop.example', '93.184.216.34']) {
    expect(await post(`http://${host}/`, { reach })).toMatchObject({
      reason: 'address_refused',
      message: 'The URL must begin with https://.',
    });
  }
});

test('a name with one private address among others is refused as a whole', async () => {
  const receiver = await http(keep);
  for (const addresses of [
    ['127.0.0.1', '10.0.0.1'],
    ['10.0.0.1', '127.0.0.1'],
  ]) {
    const reach = { ...onLoopback, lookup: async () => addresses };
    expect(await post(urlOf(receiver), { reach })).toMatchObject({ reason: 'address_refused' });
  }
  expect(receiver.connections()).toBe(0);
});

/** A name that is allowed on the first lookup only. */
function rebinding() {
  const answers = [['127.0.0.1']];
  return vi.fn<Lookup>(async () => answers.shift() ?? ['10.0.0.1']);
}

test('the address that was judged is the one connected to, whatever the name says next', async () => {
  const receiver = await http((request, response) => {
    response.setHeader('connection', 'close');
    keep(request, response);
  });
  const lookup = rebinding();
  const sender = newSender({ reach: { ...onLoopback, lookup } });
  const request = { url: urlOf(receiver), headers: {}, body: Buffer.from('{}') };
  expect(await sender.send(request)).toMatchObject({ status: 200 });
  expect(lookup).toHaveBeenCalledTimes(1);
  expect(await sender.send(request)).toMatchObject({ reason: 'address_refused' });
  expect(lookup).toHaveBeenCalledTimes(2);
  expect(receiver.connections()).toBe(1);
});

test('a kept connection is used on without a look-up, but not for longer than a minute', async () => {
  const receiver = await http(keep);
  const lookup = rebinding();
  const sender = newSender({ reach: { ...onLoopback, lookup } });
  const request = { url: urlOf(receiver), headers: {}, body: Buffer.from('{}') };
  vi.useFakeTimers({ toFake: ['performance'] });
  for (let n = 0; n < 3; n += 1) {
    expect(await sender.send(request)).toMatchObject({ status: 200 });
    await untilFree();
  }
  expect(lookup).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(60_001);
  expect(await sender.send(request)).toMatchObject({ reason: 'address_refused' });
  expect(receiver.connections()).toBe(1);
  await receiver.disconnected();
});

test('requests at the same time have a connection each, and later ones use these', async () => {
  const receiver = await http(keep);
  const sender = newSender();
  const request = { url: urlOf(receiver), headers: {}, body: Buffer.from('{}') };
  for (let round = 0; round < 3; round += 1) {
    const answers = await Promise.all(Array.from({ length: 4 }, () => sender.send(request)));
    expect(answers).toMatchObject(Array(4).fill({ status: 200 }));
  }
  expect(receiver.connections()).toBe(4);
});

test('after a connection that the receiver closes, the next request opens another', async () => {
  const receiver = await http((_, response) => {
    response.setHeader('connection', 'close').end();
  });
  const sender = newSender();
  const request = { url: urlOf(receiver), headers: {}, body: Buffer.from('{}') };
  for (let round = 0; round < 3; round += 1) {
    expect(await sender.send(request)).toMatchObject({ status: 200 });
  }
  expect(receiver.connections()).toBe(3);
});

test('the address of the socket itself has the last word', async () => {
  const receiver = await http(keep);
  const judgements = ['excepted', 'refused'] as const;
  let judged = 0;
  const rules = { judge: () => judgements[judged++] ?? 'refused' };
  expect(await post(urlOf(receiver), { reach: { ...onLoopback, rules } })).toMatchObject({
    reason: 'address_refused',
  });
  expect(judged).toBe(2);
  await receiver.disconnected();
  expect(seen).toEqual([]);
});

test('an unusable URL is neither looked up nor called', async () => {
  const receiver = await http(keep);
  const lookup = vi.fn<Lookup>(async () => ['127.0.0.1']);
  for (const url of [`http://user:geheim@shop.example:${receiver.port}/`, 'nonsense', 'ftp://a/']) {
    const result = await post(url, { reach: { ...onLoopback, lookup } });
    expect(result).toMatchObject({ outcome: 'failed', reason: 'invalid_url' });
    expect(JSON.stringify(result)).not.toContain('geheim');
  }
  expect(lookup).not.toHaveBeenCalled();
});

test('what cannot be sent is a result too', async () => {
  const sender = newSender();
  const headers = { 'webhook-id': 'a\nb' };
  expect(
    await sender.send({ url: 'http://shop.example', headers, body: Buffer.from('{}') }),
  ).toEqual({
    outcome: 'failed',
    reason: 'unexpected',
    message: 'Sending failed in an unexpected way (UND_ERR_INVALID_ARG).',
    latencyMs: expect.any(Number),
  });
});

test('no message tells an address or what stands in the URL', async () => {
  const reset = await tcp((socket) => void socket.resetAndDestroy());
  const gone = await tcp(() => undefined);
  await gone.close();
  opened.pop();
  const closed = createAddressRules([]);
  const results = [
    await post(urlOf(reset)),
    await post(urlOf(gone)),
    await post(urlOf(gone, '127.0.0.1')),
    await post(urlOf(reset), { reach: { ...onLoopback, rules: closed } }),
    await post(urlOf(await tcp(() => undefined)), { deadlineMs: SHORT_MS }),
  ];
  for (const result of results) {
    expect(result.outcome).toBe('failed');
    expect(JSON.stringify(result)).not.toMatch(/127\.|geheim|shop/);
  }
});

test('closing cuts off what is under way', async () => {
  const { receiver, arrived } = await silent();
  const sender = newSender();
  const request = { url: urlOf(receiver), headers: {}, body: Buffer.from('{}') };
  const result = sender.send(request);
  await arrived;
  await sender.close();
  expect(await result).toMatchObject({ outcome: 'failed', reason: 'cancelled' });
  expect(await sender.send(request)).toMatchObject({ outcome: 'failed', reason: 'cancelled' });
  await receiver.disconnected();
});

test('proxies of the environment are not used', async () => {
  const proxy = await http((_request, response) => void response.end('from the proxy'));
  const receiver = await http(keep);
  const address = `http://127.0.0.1:${proxy.port}`;
  const names = ['http_proxy', 'https_proxy', 'all_proxy'];
  const env = Object.fromEntries(
    names.flatMap((name) => [
      [name, address],
      [name.toUpperCase(), address],
    ]),
  );
  const url = `http://127.0.0.1:${receiver.port}/`;
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD, url], {
    env: { PATH: process.env.PATH, ...env, NODE_USE_ENV_PROXY: '1' },
  });
  expect(JSON.parse(stdout)).toMatchObject({ status: 200, bodyStart: 'thanks' });
  expect(proxy.connections()).toBe(0);
  expect(receiver.connections()).toBe(1);
});
