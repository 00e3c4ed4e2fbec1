import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { type Receiver, receiveHttp, receiveTcp } from '../../../../test/receiver.ts';
import { createAddressRules } from './address-rules.ts';
import { createSender, type Sender, type SenderOptions } from './send-request.ts';

let key = '';
let cert = '';
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'goodword-tls-'));
  const files = { key: join(folder, 'key.pem'), cert: join(folder, 'cert.pem') };
  execFileSync(
    'openssl',
    [
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ['-days', '2', '-subj', '/CN=test', '-keyout', files.key, '-out', files.cert],
      ['-addext', 'subjectAltName=DNS:shop.example,IP:127.0.0.1'],
    ].flat(),
    { stdio: 'ignore' },
  );
  key = readFileSync(files.key, 'utf8');
  cert = readFileSync(files.cert, 'utf8');
  rmSync(folder, { recursive: true });
});

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function https(listener: RequestListener): Promise<Receiver> {
  const receiver = await receiveHttp(listener, { key, cert });
  opened.push(receiver);
  return receiver;
}

async function tcp(listener: (socket: Socket) => void): Promise<Receiver> {
  const receiver = await receiveTcp(listener);
  opened.push(receiver);
  return receiver;
}

const reach = {
  rules: createAddressRules(['127.0.0.0/8']),
  lookup: async () => ['127.0.0.1'],
};

function newSender(options: Partial<SenderOptions>): Sender {
  const sender = createSender({ reach, deadlineMs: 20_000, ...options });
  opened.push(sender);
  return sender;
}

const requestTo = (url: string) => ({ url, headers: {}, body: Buffer.from('{}') });

const post = (url: string, options: Partial<SenderOptions> = {}) =>
  newSender({ ca: cert, ...options }).send(requestTo(url));

const tellName: RequestListener = (request, response) => {
  const { servername } = request.socket as TLSSocket & { servername: string | false };
  response.end(`${servername} ${request.headers.host}`);
};

test('over TLS, SNI, the certificate and Host are about the name, not the address', async () => {
  const { port } = await https(tellName);
  expect(await post(`https://shop.example:${port}/`)).toMatchObject({
    status: 200,
    bodyStart: `shop.example shop.example:${port}`,
  });
});

test('an address in the URL is held against the certificate, without SNI', async () => {
  const { port } = await https(tellName);
  expect(await post(`https://127.0.0.1:${port}/`)).toMatchObject({
    status: 200,
    bodyStart: `false 127.0.0.1:${port}`,
  });
});

test('a certificate for another name is refused', async () => {
  const { port } = await https(tellName);
  expect(await post(`https://other.example:${port}/`)).toMatchObject({
    outcome: 'failed',
    reason: 'tls_failed',
    message: 'TLS could not be set up (ERR_TLS_CERT_ALTNAME_INVALID).',
  });
});

test('a certificate that nobody vouches for is refused', async () => {
  const receiver = await https(tellName);
  const request = requestTo(`https://shop.example:${receiver.port}/`);
  expect(await newSender({}).send(request)).toMatchObject({
    reason: 'tls_failed',
    message: 'TLS could not be set up (DEPTH_ZERO_SELF_SIGNED_CERT).',
  });
  await receiver.disconnected();
});

test.each([
  [
    'speaks no TLS',
    (socket: Socket) => void socket.resume().write('HTTP/1.1 400 Bad Request\r\n\r\n'),
  ],
  [
    'resets in the handshake',
    (socket: Socket) => void socket.once('data', () => socket.resetAndDestroy()),
  ],
  ['closes in the handshake', (socket: Socket) => void socket.once('data', () => socket.end())],
])('a receiver that %s fails in words of its own', async (_name, listener) => {
  const receiver = await tcp(listener);
  expect(await post(`https://shop.example:${receiver.port}/`)).toMatchObject({
    outcome: 'failed',
    reason: 'tls_failed',
  });
  await receiver.disconnected();
});

test('a handshake that goes nowhere is cut off at the deadline', async () => {
  const receiver = await tcp((socket) => void socket.resume());
  const url = `https://shop.example:${receiver.port}/`;
  expect(await post(url, { deadlineMs: 250 })).toMatchObject({
    reason: 'timed_out',
    message: 'There was no connection within 250 ms.',
  });
  await receiver.disconnected();
});

test('a connection is kept and used again over TLS too', async () => {
  const receiver = await https(tellName);
  const sender = newSender({ ca: cert });
  const request = requestTo(`https://shop.example:${receiver.port}/`);
  for (let n = 0; n < 3; n += 1) {
    expect(await sender.send(request)).toMatchObject({ status: 200 });
    await new Promise(setImmediate);
  }
  expect(receiver.connections()).toBe(1);
});
