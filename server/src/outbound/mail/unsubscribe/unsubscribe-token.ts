import { timingSafeEqual } from 'node:crypto';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import { type Language, MAIL_KINDS, type MailKind } from '../kinds.ts';

/** Who unsubscribes from what. */
export interface Subscription {
  readonly projectId: string;
  readonly recipientId: string;
  readonly kind: MailKind;
}

const PATTERN = /^(prj_[0-9a-z]+)\.((?:par|usr)_[0-9a-z]+)\.([a-z_]+)\.([\w-]{43})$/;

/** Does not expire: a mail can be read years later. Nobody without the root key can make one. */
export function makeUnsubscribeToken(keyring: Keyring, subscription: Subscription): string {
  const { projectId, recipientId, kind } = subscription;
  const claim = `${projectId}.${recipientId}.${kind}`;
  return `${claim}.${sign(keyring, claim).toString('base64url')}`;
}

/** Undefined for a token that this installation did not make. */
export function readUnsubscribeToken(keyring: Keyring, token: string): Subscription | undefined {
  const [, projectId = '', recipientId = '', kind = '', signature = ''] = PATTERN.exec(token) ?? [];
  const given = Buffer.from(signature, 'base64url');
  const expected = sign(keyring, `${projectId}.${recipientId}.${kind}`);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const known = MAIL_KINDS.find((one) => one === kind);
  return known && { projectId, recipientId, kind: known };
}

function sign(keyring: Keyring, claim: string): Buffer {
  return keyring.hmac('mail-unsubscribe', claim);
}

export function toUnsubscribeUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/mail/unsubscribe?token=${token}`;
}

/** The page speaks the language of the mail. */
export function withLanguage(unsubscribeUrl: string, language: Language): string {
  return `${unsubscribeUrl}&lang=${language}`;
}
