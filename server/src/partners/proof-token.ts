import { timingSafeEqual } from 'node:crypto';
import { DAY_MS } from '../kit/instant.ts';
import type { Keyring } from '../kit/keyring.ts';

export const PROOF_DAYS = 7;
const SHAPE = /^([a-z]+_[0-9a-z]+)\.([a-z]+_[0-9a-z]+)\.([0-9a-z]{1,12})\.([\w-]{43})$/;

export interface ProofSubject {
  readonly projectId: string;
  readonly applicationId: string;
}

/** Names one application and says until when. Nothing of it is stored. */
export function makeProofToken(keyring: Keyring, subject: ProofSubject, nowMs: number): string {
  const expiry = (nowMs + PROOF_DAYS * DAY_MS).toString(36);
  const claim = `${subject.projectId}.${subject.applicationId}.${expiry}`;
  return `${claim}.${sign(keyring, claim)}`;
}

/** Undefined for what was not made here, or whose time is over. */
export function readProofToken(
  keyring: Keyring,
  token: string,
  nowMs: number,
): ProofSubject | undefined {
  const match = SHAPE.exec(token);
  if (!match) return undefined;
  const [, projectId, applicationId, expiry, signature] = match as unknown as string[];
  const claim = `${projectId}.${applicationId}.${expiry}`;
  if (!timingSafeEqual(Buffer.from(signature as string), Buffer.from(sign(keyring, claim)))) {
    return undefined;
  }
  if (Number.parseInt(expiry as string, 36) <= nowMs) return undefined;
  return { projectId: projectId as string, applicationId: applicationId as string };
}

/** 43 characters, as many as the shape asks for. */
function sign(keyring: Keyring, claim: string): string {
  return keyring.hmac('partner-proof', claim).toString('base64url');
}

export function toProofUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/partner-applications/verify?token=${token}`;
}
