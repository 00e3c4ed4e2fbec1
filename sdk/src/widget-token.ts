import { toBase64Url } from './base64.ts';
import type { components } from './generated/api.ts';
import { webcrypto } from './webcrypto.ts';

/** The longest life that the service accepts. */
const LIFE_SECONDS_MAX = 900;

export type WidgetScope = 'widget:read' | 'widget:payout';

export interface WidgetTokenOptions {
  readonly projectId: string;
  /** The participant who is logged in. */
  readonly participant: components['schemas']['ParticipantRef'];
  /** The project's widget secret, `wsec_…`. */
  readonly secret: string;
  /** Default both: to see rewards, and to set payout details. */
  readonly scopes?: readonly WidgetScope[];
  /** Life in seconds: 1 to 900 (default 900). */
  readonly expiresIn?: number;
  /** The current time in milliseconds (default this machine's). */
  readonly nowMs?: number;
}

/**
 * Signs a token by which a browser acts for one participant. Give it only to the user logged in as
 * that participant, and with `Cache-Control: no-store`.
 */
export async function widgetToken(options: WidgetTokenOptions): Promise<string> {
  const { projectId, participant, secret, scopes = ['widget:read', 'widget:payout'] } = options;
  const { expiresIn = LIFE_SECONDS_MAX, nowMs = Date.now() } = options;
  // A number could be signed, but the service would refuse the token.
  if (typeof participant.externalId !== 'string') {
    throw new TypeError('participant.externalId must be a string.');
  }
  if (!secret?.startsWith('wsec_')) throw new TypeError('A Widget secret begins with wsec_.');
  if (!Number.isInteger(expiresIn) || expiresIn < 1 || expiresIn > LIFE_SECONDS_MAX) {
    throw new RangeError(`expiresIn must be 1 to ${LIFE_SECONDS_MAX} seconds.`);
  }
  const iat = Math.floor(nowMs / 1_000);
  const text = [
    { alg: 'HS256', typ: 'service-widget+jwt' },
    {
      iss: projectId,
      projectId,
      aud: 'service-widget',
      sub: participant.externalId,
      participantKind: participant.kind,
      scope: scopes.join(' '),
      iat,
      exp: iat + expiresIn,
    },
  ]
    .map((part) => toBase64Url(new TextEncoder().encode(JSON.stringify(part))))
    .join('.');
  const key = await webcrypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  );
  const signature = await webcrypto.subtle.sign('HMAC', key, new TextEncoder().encode(text));
  return `${text}.${toBase64Url(new Uint8Array(signature))}`;
}
