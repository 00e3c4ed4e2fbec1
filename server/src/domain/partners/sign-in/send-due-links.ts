import { backoffMs } from '../../../platform/kit/backoff.ts';
import { addMs, type Instant, MINUTE_MS, toInstant } from '../../../platform/kit/instant.ts';
import { type Mail, MailError, writeLinkMail } from '../../../platform/mail/mailer.ts';
import type { MailWorkerDeps } from '../partner-deps.ts';
import { LINK_MINUTES, makeSignInToken } from './sign-in-link.ts';
import {
  type ClaimedLink,
  claimLinks,
  deleteLink,
  listPartnersByEmail,
  updateMailDue,
} from './sign-in-store.ts';

/** Small, so that all finish within the lease even if each takes the mailer's whole timeout. */
const CLAIM_MAX = 5;
const LEASE_MS = 10 * MINUTE_MS;

/**
 * Mails the due links, each outside any transaction, and returns how many were claimed. A request
 * for an address that no Partner has is dropped.
 */
export async function sendDueLinks(deps: MailWorkerDeps, signal: AbortSignal): Promise<number> {
  const now = toInstant(deps.clock.nowMs());
  const claimed = await deps.database.transaction((tx) =>
    claimLinks(tx, now, addMs(now, LEASE_MS), CLAIM_MAX),
  );
  for (const link of claimed) {
    if (signal.aborted) break;
    await sendAndRecord(deps, link);
  }
  return claimed.length;
}

async function sendAndRecord(deps: MailWorkerDeps, link: ClaimedLink): Promise<void> {
  const [partner] = await listPartnersByEmail(deps.database.reads, link.emailKey);
  if (!partner) {
    await deps.database.transaction(async (tx) => deleteLink(tx, link.id));
    return;
  }
  const failure = await trySending(deps, link, partner.email);
  if (failure !== undefined) deps.onFailure(failure);
  const isOver = failure === undefined || (failure instanceof MailError && failure.final);
  const now = toInstant(deps.clock.nowMs());
  const dueAt = isOver ? null : nextLinkTry(link.tries, now, link.expiresAt);
  await deps.database.transaction(async (tx) => updateMailDue(tx, link, dueAt));
}

async function trySending(
  deps: MailWorkerDeps,
  { id, expiresAt }: ClaimedLink,
  email: string,
): Promise<unknown> {
  if (expiresAt <= toInstant(deps.clock.nowMs())) {
    return new MailError('A sign-in link expired before its mail was sent.', true);
  }
  try {
    const token = makeSignInToken(deps.keyring, id);
    await deps.mailer.send(
      writeSignInMail(email, `${deps.baseUrl}/partner/sign-in?token=${token}`),
    );
    return undefined;
  } catch (error) {
    return error;
  }
}

const FIRST_WAIT_MS = 15_000;
/** A link with less time left is not worth mailing. */
const LEFT_MS = 10 * MINUTE_MS;

/** When to retry after the given attempt (from 1) failed at `now`; null to give up. */
function nextLinkTry(tries: number, now: Instant, expiresAt: Instant): Instant | null {
  const next = addMs(now, backoffMs(tries, FIRST_WAIT_MS));
  return addMs(next, LEFT_MS) <= expiresAt ? next : null;
}

function writeSignInMail(to: string, link: string): Mail {
  return writeLinkMail({
    to,
    subject: 'Your link to the partner page',
    lead: 'Someone asked to sign in to the partner page with this e-mail address.',
    ask: 'If it was you, open this link and press the button on its page:',
    button: 'Open the partner page',
    link,
    end: `The link works once and expires after ${LINK_MINUTES} minutes. Do not forward this mail. If this was not you, you can ignore it.`,
  });
}
