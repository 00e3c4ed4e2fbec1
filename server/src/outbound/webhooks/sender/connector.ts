import { connect as dial, isIP, type Socket } from 'node:net';
import { connect as startTls } from 'node:tls';
import type { buildConnector } from 'undici';
import { codeOf, SendError } from '../dispatch/failure.ts';
import { refuseAddresses, type Scheme } from './address-rules.ts';
import { type Reach, resolveHost } from './resolve-host.ts';

export interface ConnectorOptions {
  readonly reach: Reach;
  /** From the lookup to the end of the TLS handshake. */
  readonly deadlineMs: number;
  /** Certificates in PEM to trust instead of the system's. */
  readonly ca?: string;
}

interface Target {
  readonly scheme: Scheme;
  readonly host: string;
  readonly port: number;
}

/**
 * Opens connections for undici. A name is resolved once, all its addresses are checked, and only
 * these are connected to: a later change of the name has no effect. SNI, the certificate and the
 * Host header still use the name. Fails with SendError only.
 */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  return ({ hostname, protocol, port }, callback) => {
    const scheme = protocol === 'https:' ? 'https' : 'http';
    const target = {
      scheme,
      host: hostname,
      port: port ? Number(port) : scheme === 'https' ? 443 : 80,
    } as const;
    open(target, options).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

async function open(target: Target, { reach, deadlineMs, ca }: ConnectorOptions): Promise<Socket> {
  const deadline = new AbortController();
  const late = new SendError('timed_out', `There was no connection within ${deadlineMs} ms.`);
  const timer = setTimeout(() => deadline.abort(late), deadlineMs);
  try {
    const addresses = await resolve(target, reach, deadline.signal);
    const socket = await connectTo(target, addresses, deadline.signal);
    assertStillAllowed(socket, target, reach);
    return target.scheme === 'https' ? await secure(socket, target, ca) : socket;
  } catch (error) {
    throw deadline.signal.aborted ? late : error;
  } finally {
    clearTimeout(timer);
  }
}

async function resolve(
  { host, scheme }: Target,
  reach: Reach,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  const resolved = await Promise.race([resolveHost(host, scheme, reach), late]);
  if (resolved.ok) return resolved.addresses;
  throw new SendError(resolved.failure.reason, resolved.failure.message);
}

/** Tries the addresses one after the other, alternating between families, until one accepts. */
function connectTo(
  { host, port }: Target,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((done, fail) => {
    const socket = dial({
      host,
      port,
      signal,
      noDelay: true,
      keepAlive: true,
      autoSelectFamily: true,
      lookup: (_name, _options, answer) =>
        answer(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        ),
    });
    socket.once('connect', () => done(socket));
    socket.on('error', (error) =>
      fail(new SendError('connection_failed', `The connection failed (${codeOf(error)}).`)),
    );
  });
}

/** The final check: the address that the socket is really connected to. */
function assertStillAllowed(socket: Socket, { scheme }: Target, { rules }: Reach): void {
  const address = socket.remoteAddress;
  const error =
    address === undefined
      ? new SendError('connection_lost', 'The connection was closed immediately.')
      : refusal(refuseAddresses([address], scheme, rules));
  if (error === null) return;
  socket.destroy();
  throw error;
}

function refusal(message: string | null): SendError | null {
  return message === null ? null : new SendError('address_refused', message);
}

function secure(socket: Socket, { host }: Target, ca: string | undefined): Promise<Socket> {
  return new Promise((done, fail) => {
    const secured = startTls({
      socket,
      host,
      // SNI allows names only. Without it, the certificate is checked against `host`.
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(ca === undefined ? {} : { ca }),
      ALPNProtocols: ['http/1.1'],
    });
    const giveUp = (code: string) => {
      fail(new SendError('tls_failed', `TLS could not be set up (${code}).`));
      socket.destroy();
    };
    secured.once('secureConnect', () => done(secured));
    secured.on('error', (error) => giveUp(codeOf(error)));
    secured.once('close', () => giveUp('closed'));
  });
}
