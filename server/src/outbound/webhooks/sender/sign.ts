import { createHmac } from 'node:crypto';
import { DAY_MS, type Instant, toMs } from '../../../platform/kit/instant.ts';

export const SECRET_BYTES = 32;
/** The current secret and the two before it (D-WH-3). */
export const LIVE_SECRETS_MAX = 3;
/** How long a replaced secret continues to sign. */
export const ROTATED_SECRET_MS = DAY_MS;

const PREFIX = 'whsec_';

interface Rotated {
  /** When a newer secret replaced it; null for the current one. */
  readonly rotatedAt: Instant | null;
}

export interface SignedMessage {
  /** The event's id, the same in every delivery. */
  readonly id: string;
  readonly signedAt: Instant;
  /** The exact bytes that are sent. */
  readonly body: Uint8Array;
  /** Newest first; each gives one signature. */
  readonly secrets: readonly string[];
}

/** A type rather than an interface, so that it is assignable to a record of headers. */
export type SignatureHeaders = {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
};

/** Creates an endpoint's secret from random bytes. */
export function makeSecret(random: Uint8Array): string {
  if (random.length !== SECRET_BYTES) throw new Error(`A secret has ${SECRET_BYTES} bytes.`);
  return PREFIX + Buffer.from(random).toString('base64');
}

/** The secrets that sign at a time, newest first. Others can be deleted. */
export function liveSecrets<S extends Rotated>(secrets: readonly S[], now: Instant): S[] {
  const nowMs = toMs(now);
  return secrets
    .filter(({ rotatedAt }) => rotatedAt === null || nowMs < toMs(rotatedAt) + ROTATED_SECRET_MS)
    .toSorted((a, b) => rotatedMs(b) - rotatedMs(a))
    .slice(0, LIVE_SECRETS_MAX);
}

/** The Standard Webhooks headers of one request. */
export function signatureHeaders({ id, signedAt, body, secrets }: SignedMessage): SignatureHeaders {
  if (secrets.length === 0) throw new Error('Nothing to sign with.');
  const timestamp = String(Math.floor(toMs(signedAt) / 1000));
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', readKey(secret)).update(`${id}.${timestamp}.`);
    return `v1,${hmac.update(body).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

function rotatedMs({ rotatedAt }: Rotated): number {
  return rotatedAt === null ? Number.MAX_SAFE_INTEGER : toMs(rotatedAt);
}

function readKey(secret: string): Buffer {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  // The secret itself must not appear in an error.
  if (!secret.startsWith(PREFIX) || key.length !== SECRET_BYTES) {
    throw new Error('Not a signing secret.');
  }
  return key;
}
