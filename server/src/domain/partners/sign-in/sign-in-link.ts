import { timingSafeEqual } from 'node:crypto';
import { addMs, MINUTE_MS, toInstant } from '../../../platform/kit/instant.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import { toEmailKey } from '../applications/applicant.ts';
import type { PartnerDeps } from '../partner-deps.ts';
import { startSession } from './session.ts';
import { findLink, insertLink, listPartnersByEmail, spendLink } from './sign-in-store.ts';

export const LINK_MINUTES = 30;

/**
 * Requests a link for an address. The worker, not this function, looks up whether a Partner has it,
 * so that neither the response nor its timing reveals it.
 */
export async function askForLink(
  deps: Pick<PartnerDeps, 'database' | 'clock' | 'newId' | 'onMailDue'>,
  email: string,
): Promise<void> {
  const now = toInstant(deps.clock.nowMs());
  await deps.database.transaction(async (tx) =>
    insertLink(tx, {
      id: deps.newId('psl'),
      emailKey: toEmailKey(email),
      createdAt: now,
      expiresAt: addMs(now, LINK_MINUTES * MINUTE_MS),
    }),
  );
  deps.onMailDue();
}

/** State of a link: valid, already used, or invalid. */
export type LinkState =
  | { readonly state: 'open'; readonly email: string }
  | { readonly state: 'spent' | 'invalid' };

type LinkDeps = Pick<PartnerDeps, 'database' | 'clock' | 'keyring'>;

/** Reads only: programs that follow every link of a mail must not spend it. */
export async function readLink(deps: LinkDeps, token: string): Promise<LinkState> {
  const linkId = readSignInToken(deps.keyring, token);
  const link = linkId && (await findLink(deps.database.reads, linkId));
  if (!link || link.expiresAt <= toInstant(deps.clock.nowMs())) return { state: 'invalid' };
  if (link.spentAt !== null) return { state: 'spent' };
  const [partner] = await listPartnersByEmail(deps.database.reads, link.emailKey);
  return partner ? { state: 'open', email: partner.email } : { state: 'invalid' };
}

/** Signs in once: returns the new session's token, or why there is none. */
export async function signIn(
  deps: LinkDeps,
  token: string,
): Promise<{ readonly sessionToken: string } | Exclude<LinkState, { state: 'open' }>> {
  const linkId = readSignInToken(deps.keyring, token);
  if (linkId === undefined) return { state: 'invalid' };
  const now = toInstant(deps.clock.nowMs());
  return deps.database.transaction(async (tx) => {
    const emailKey = await spendLink(tx, linkId, now);
    if (emailKey === undefined) {
      const link = await findLink(tx, linkId);
      const isSpent = link && link.spentAt !== null && link.expiresAt > now;
      return { state: isSpent ? ('spent' as const) : ('invalid' as const) };
    }
    if ((await listPartnersByEmail(tx, emailKey)).length === 0) {
      return { state: 'invalid' as const };
    }
    return { sessionToken: startSession(tx, emailKey, now) };
  });
}

const SHAPE = /^(psl_[0-9a-z]{26})\.([\w-]{43})$/;

/** The token of a sign-in link. It can be made only with the key, so it need not be stored. */
export function makeSignInToken(keyring: Keyring, linkId: string): string {
  return `${linkId}.${sign(keyring, linkId)}`;
}

/** The link's id; undefined for a token that was not made here. */
function readSignInToken(keyring: Keyring, token: string): string | undefined {
  const [, linkId, signature] = SHAPE.exec(token) ?? [];
  if (linkId === undefined || signature === undefined) return undefined;
  const expected = Buffer.from(sign(keyring, linkId));
  return timingSafeEqual(Buffer.from(signature), expected) ? linkId : undefined;
}

/** 43 characters, as the format requires. */
function sign(keyring: Keyring, linkId: string): string {
  return keyring.hmac('partner-sign-in', linkId).toString('base64url');
}
