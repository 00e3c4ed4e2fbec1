import { timingSafeEqual } from 'node:crypto';
import type { Keyring } from '../../../platform/kit/keyring.ts';

const SHAPE = /^(psl_[0-9a-z]{26})\.([\w-]{43})$/;

/** The token of a sign-in link. It can be made only with the key, so it need not be stored. */
export function makeSignInToken(keyring: Keyring, linkId: string): string {
  return `${linkId}.${sign(keyring, linkId)}`;
}

/** The link's id; undefined for a token that was not made here. */
export function readSignInToken(keyring: Keyring, token: string): string | undefined {
  const [, linkId, signature] = SHAPE.exec(token) ?? [];
  if (linkId === undefined || signature === undefined) return undefined;
  const expected = Buffer.from(sign(keyring, linkId));
  return timingSafeEqual(Buffer.from(signature), expected) ? linkId : undefined;
}

/** 43 characters, as the format requires. */
function sign(keyring: Keyring, linkId: string): string {
  return keyring.hmac('partner-sign-in', linkId).toString('base64url');
}
