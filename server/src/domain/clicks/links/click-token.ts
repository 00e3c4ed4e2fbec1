import { timingSafeEqual } from 'node:crypto';
import type { Keyring } from '../../../platform/kit/keyring.ts';

const PREFIX = 'clk_';
const ID_BYTES = 16;
const EXPIRY_BYTES = 6;
const SIGNATURE_BYTES = 16;
const NAME_AT = ID_BYTES + EXPIRY_BYTES + SIGNATURE_BYTES;

/** Somebody followed a link. */
export interface Click {
  /** 128 random bits in hex; identifies a spent token. */
  readonly id: string;
  /** The name in the link: a code or a slug. */
  readonly name: string;
  readonly expiresMs: number;
}

/** Proves that a link of this Project was followed, without storing anything: id, expiry, signature, name. */
export function makeClickToken(keyring: Keyring, projectId: string, click: Click): string {
  const id = Buffer.from(click.id, 'hex');
  const expiry = Buffer.alloc(EXPIRY_BYTES);
  expiry.writeUIntBE(click.expiresMs, 0, EXPIRY_BYTES);
  const signature = sign(keyring, projectId, click);
  return (
    PREFIX + Buffer.concat([id, expiry, signature, Buffer.from(click.name)]).toString('base64url')
  );
}

/** Undefined for a token that was not made here for this Project, or that has expired. */
export function readClickToken(
  keyring: Keyring,
  projectId: string,
  token: string,
  nowMs: number,
): Click | undefined {
  const bytes = Buffer.from(token.slice(PREFIX.length), 'base64url');
  // Decoding is lenient: many texts give the same bytes. Only the canonical one is accepted.
  if (bytes.length <= NAME_AT || token !== PREFIX + bytes.toString('base64url')) return undefined;
  const click: Click = {
    id: bytes.toString('hex', 0, ID_BYTES),
    expiresMs: bytes.readUIntBE(ID_BYTES, EXPIRY_BYTES),
    name: bytes.toString('utf8', NAME_AT),
  };
  const signature = bytes.subarray(ID_BYTES + EXPIRY_BYTES, NAME_AT);
  if (!timingSafeEqual(signature, sign(keyring, projectId, click))) return undefined;
  return nowMs < click.expiresMs ? click : undefined;
}

function sign(keyring: Keyring, projectId: string, { id, name, expiresMs }: Click): Buffer {
  const claim = [projectId, id, expiresMs, name].join('\n');
  return keyring.hmac('click-token', claim).subarray(0, SIGNATURE_BYTES);
}
