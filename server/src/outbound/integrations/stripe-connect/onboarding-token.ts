import { timingSafeEqual } from 'node:crypto';
import { HOUR_MS } from '../../../platform/kit/instant.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';

/** A token opens the payee's form at Stripe, so it is valid for one session only. */
const LIFE_MS = HOUR_MS;

export interface Onboarded {
  readonly projectId: string;
  readonly participantId: string;
}

export function makeOnboardingToken(keyring: Keyring, payee: Onboarded, nowMs: number): string {
  const text = JSON.stringify([payee.projectId, payee.participantId, nowMs + LIFE_MS]);
  return `${Buffer.from(text).toString('base64url')}.${sign(keyring, text).toString('base64url')}`;
}

/** Undefined if it is not one of our tokens, or expired. */
export function readOnboardingToken(
  keyring: Keyring,
  token: string,
  nowMs: number,
): Onboarded | undefined {
  const [body = '', mac = ''] = token.split('.');
  const text = Buffer.from(body, 'base64url').toString('utf8');
  const [given, right] = [Buffer.from(mac, 'base64url'), sign(keyring, text)];
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
  const [projectId, participantId, until] = JSON.parse(text) as [string, string, number];
  return nowMs < until ? { projectId, participantId } : undefined;
}

function sign(keyring: Keyring, text: string): Buffer {
  return keyring.hmac('payout-onboarding', text);
}
