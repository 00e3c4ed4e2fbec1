import { fromBase64 } from './base64.ts';
import { type HeadersLike, readHeader } from './read-headers.ts';
import { webcrypto } from './webcrypto.ts';
import type { WebhookEvent } from './webhook-event.ts';

const PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 300;
/** Goodword sends one for each secret of an endpoint, which are a few at most. */
const SIGNATURES_MAX = 8;
const SIGNATURE_BYTES = 32;
/** Longer headers are not read: anybody can send them. */
const HEADER_LENGTH_MAX = 2_048;

/** Why a request is not a valid webhook of the endpoint. Answer it with 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: 'headers_missing' | 'timestamp_off' | 'signature_wrong' | 'body_invalid';

  constructor(reason: WebhookVerificationError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

export interface VerifyOptions {
  /** The allowed difference between the sender's clock and this one (default 300 seconds). */
  readonly toleranceSeconds?: number;
  /** The current time in milliseconds (default this machine's). */
  readonly nowMs?: number;
}

/**
 * Checks that a request comes from Goodword and is recent, and returns its event. Pass the body as
 * received, before it is parsed, and the endpoint's secret, or several of them. Throws a
 * `WebhookVerificationError` for every other request.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: HeadersLike,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const keys = await Promise.all(asList(secret).map(importKey));
  if (!headers) throw new TypeError('Give the headers of the request.');
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    readHeader(headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !signatures) {
    throw new WebhookVerificationError('headers_missing', 'The headers of a webhook are missing.');
  }
  assertRecent(timestamp, options);
  if (id.length > HEADER_LENGTH_MAX || signatures.length > HEADER_LENGTH_MAX) {
    throw new WebhookVerificationError('signature_wrong', 'The headers are too long.');
  }
  const body = toBytes(rawBody);
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  if (!(await isSigned(signed, readSignatures(signatures), keys))) {
    const message = 'No signature is one of the endpoint’s secret over this body.';
    throw new WebhookVerificationError('signature_wrong', message);
  }
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw new WebhookVerificationError('body_invalid', 'The body is not JSON.');
  }
}

function asList(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  // A missing setting is undefined, whatever the types say.
  if (!secrets?.length) throw new TypeError('There is no secret to check with.');
  return secrets;
}

/** An invalid secret is a fault of this program, not of the sender. */
async function importKey(secret: string): Promise<CryptoKey> {
  const bytes = secret?.startsWith(PREFIX) ? fromBase64(secret.slice(PREFIX.length)) : null;
  if (!bytes?.length) throw new TypeError(`An endpoint’s secret is ${PREFIX} and base64.`);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return webcrypto.subtle.importKey('raw', bytes, algorithm, false, ['sign']);
}

function assertRecent(timestamp: string, options: VerifyOptions): void {
  const { toleranceSeconds = TOLERANCE_SECONDS, nowMs = Date.now() } = options;
  const apart = Math.abs(nowMs / 1_000 - Number(timestamp));
  if (/^\d{1,15}$/.test(timestamp) && apart <= toleranceSeconds) return;
  const message = `It was not signed within ${toleranceSeconds} seconds of now.`;
  throw new WebhookVerificationError('timestamp_off', message);
}

/** The first few that could be valid. */
function readSignatures(header: string): Uint8Array[] {
  const claims: Uint8Array[] = [];
  for (const text of header.split(' ')) {
    const claim = text.startsWith('v1,') ? fromBase64(text.slice(3)) : null;
    if (claim?.length === SIGNATURE_BYTES) claims.push(claim);
    if (claims.length === SIGNATURES_MAX) break;
  }
  return claims;
}

/**
 * The body is hashed once for each secret. All are compared, so that the timing does not reveal
 * which one matched.
 */
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  claims: readonly Uint8Array[],
  keys: readonly CryptoKey[],
): Promise<boolean> {
  if (claims.length === 0) return false;
  const right = await Promise.all(keys.map((key) => webcrypto.subtle.sign('HMAC', key, signed)));
  let found = false;
  for (const one of right) {
    for (const claim of claims) found = isSame(new Uint8Array(one), claim) || found;
  }
  return found;
}

/** In constant time. */
function isSame(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < one.length; at += 1) difference |= (one[at] ?? 0) ^ (other[at] ?? 0);
  return difference === 0;
}

function toBytes(body: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new TypeError('Give the body as it came: a string or bytes, not what was parsed of it.');
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
