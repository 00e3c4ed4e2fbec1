import type { Role } from '../../../platform/http/access/roles.ts';
import { escapeHtml } from '../../../platform/http/server/escape-html.ts';
import type { Mail, Mailer } from '../../../platform/mail/mailer.ts';

interface LinkMail {
  readonly to: string;
  readonly subject: string;
  readonly lead: string;
  readonly button: string;
  readonly link: string;
  readonly end: string;
}

function writeMail({ to, subject, lead, button, link, end }: LinkMail): Mail {
  return {
    to,
    subject,
    text: [lead, '', `${button}:`, link, '', end, ''].join('\n'),
    html: `<!doctype html>
<html lang="en"><body style="margin:0;padding:24px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:32rem;margin:0 auto">
<p>${escapeHtml(lead)}</p>
<p><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#1f5f4a;color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(button)}</a></p>
<p>${escapeHtml(end)}</p>
</div></body></html>
`,
  };
}

/** A name may contain anything: in a subject it must stay on one line. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

export function writeInvitationMail(facts: {
  readonly to: string;
  readonly workspaceName: string;
  readonly role: Role;
  readonly link: string;
}): Mail {
  const name = oneLine(facts.workspaceName);
  return writeMail({
    to: facts.to,
    subject: `You are invited to ${name}`,
    lead: `You are invited to work in ${name} on Goodword, as ${facts.role}.`,
    button: 'Accept the invitation',
    link: facts.link,
    end: 'The link works once, and for 72 hours. If you did not expect it, there is nothing to do; do not pass this mail on.',
  });
}

/** The token is after the #: browsers do not send that part. */
export function sendReset(
  { mailer, baseUrl }: { readonly mailer: Mailer; readonly baseUrl: string },
  to: string,
  token: string,
): Promise<void> {
  return mailer.send(
    writeMail({
      to,
      subject: 'A new password for Goodword',
      lead: 'Someone asked for a new password for this e-mail address.',
      button: 'Choose a new password',
      link: `${baseUrl}/console/reset-password#${token}`,
      end: 'The link works once, and for an hour. If it was not you, there is nothing to do: the password stays as it is.',
    }),
  );
}
