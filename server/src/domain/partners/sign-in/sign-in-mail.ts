import { backoffMs } from '../../../platform/kit/backoff.ts';
import { addMs, type Instant, MINUTE_MS } from '../../../platform/kit/instant.ts';
import { type Mail, writeLinkMail } from '../../../platform/mail/mailer.ts';
import { LINK_MINUTES } from './sign-in-link.ts';

const FIRST_WAIT_MS = 15_000;
/** A link with less time left is not worth mailing. */
const LEFT_MS = 10 * MINUTE_MS;

/** When to retry after the given attempt (from 1) failed at `now`; null to give up. */
export function nextLinkTry(tries: number, now: Instant, expiresAt: Instant): Instant | null {
  const next = addMs(now, backoffMs(tries, FIRST_WAIT_MS));
  return addMs(next, LEFT_MS) <= expiresAt ? next : null;
}

export function writeSignInMail(to: string, link: string): Mail {
  return writeLinkMail({
    to,
    subject: 'Your link to the partner page',
    lead: 'Someone asked to sign in to the partner page with this e-mail address.',
    ask: 'If it was you, open this link and press the button on its page:',
    button: 'Open the partner page',
    link,
    end: `The link works once, and for ${LINK_MINUTES} minutes. If it was not you, there is nothing to do; do not pass this mail on.`,
  });
}
