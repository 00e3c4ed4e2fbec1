import { escapeHtml } from '../../../platform/http/server/escape-html.ts';
import { backoffMs } from '../../../platform/kit/backoff.ts';
import { addMs, type Instant, MINUTE_MS } from '../../../platform/kit/instant.ts';
import type { Mail } from '../../../platform/mail/mailer.ts';
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
  const lead = 'Someone asked to sign in to the partner page with this e-mail address.';
  const ask = 'If it was you, open this link and press the button on its page:';
  const end = `The link works once, and for ${LINK_MINUTES} minutes. If it was not you, there is nothing to do; do not pass this mail on.`;
  return {
    to,
    subject: 'Your link to the partner page',
    text: [lead, '', ask, link, '', end, ''].join('\n'),
    html: `<!doctype html>
<html lang="en"><body style="margin:0;padding:24px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:32rem;margin:0 auto">
<p>${lead}</p>
<p>${ask}</p>
<p><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#1f5f4a;color:#ffffff;text-decoration:none;font-weight:600">Open the partner page</a></p>
<p>${end}</p>
</div></body></html>
`,
  };
}
