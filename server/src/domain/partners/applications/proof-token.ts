import { timingSafeEqual } from 'node:crypto';
import { DAY_MS } from '../../../platform/kit/instant.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import { toEmailKey } from './applicant.ts';

export const PROOF_DAYS = 7;
const SHAPE =
  /^([a-z]+_[0-9a-z]+)\.([a-z]+_[0-9a-z]+)\.([0-9a-z]{1,12})\.([\w-]{22})\.([\w-]{43})$/;
const MARK_BYTES = 16;

interface ProofSubject {
  readonly projectId: string;
  readonly applicationId: string;
  /** Identifies the address that the token was made for: it proves no other. */
  readonly addressMark: string;
}

/** Contains one application, its address and the expiry. Nothing is stored. */
export function makeProofToken(
  keyring: Keyring,
  subject: Omit<ProofSubject, 'addressMark'> & { readonly email: string },
  nowMs: number,
): string {
  const expiry = (nowMs + PROOF_DAYS * DAY_MS).toString(36);
  const mark = markAddress(keyring, subject.email);
  const claim = `${subject.projectId}.${subject.applicationId}.${expiry}.${mark}`;
  return `${claim}.${sign(keyring, claim)}`;
}

/** 22 characters that reveal nothing about the address without the key. */
export function markAddress(keyring: Keyring, email: string): string {
  const hash = keyring.hmac('partner-proof', `address\n${toEmailKey(email)}`);
  return hash.subarray(0, MARK_BYTES).toString('base64url');
}

/** Undefined for a token that was not made here, or that has expired. */
export function readProofToken(
  keyring: Keyring,
  token: string,
  nowMs: number,
): ProofSubject | undefined {
  const match = SHAPE.exec(token);
  if (!match) return undefined;
  const [projectId, applicationId, expiry, addressMark, signature] = match.slice(1) as [
    string,
    string,
    string,
    string,
    string,
  ];
  const claim = `${projectId}.${applicationId}.${expiry}.${addressMark}`;
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(sign(keyring, claim)))) {
    return undefined;
  }
  if (Number.parseInt(expiry, 36) <= nowMs) return undefined;
  return { projectId, applicationId, addressMark };
}

/** 43 characters, as `SHAPE` requires. */
function sign(keyring: Keyring, claim: string): string {
  return keyring.hmac('partner-proof', claim).toString('base64url');
}

export function toProofUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/partner-applications/verify?token=${token}`;
}
