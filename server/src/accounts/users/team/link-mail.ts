import type { Role } from '../../../platform/http/access/permissions.ts';
import { type Mail, type Mailer, writeLinkMail } from '../../../platform/mail/mailer.ts';

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
  return writeLinkMail({
    to: facts.to,
    subject: `You are invited to ${name}`,
    lead: `You are invited to work in ${name} on Goodword, as ${facts.role}.`,
    button: 'Accept the invitation',
    link: facts.link,
    end: 'The link works once and expires after 72 hours. Do not forward this mail. If you did not expect it, you can ignore it.',
  });
}

/** The token is after the #: browsers do not send that part. */
export function sendReset(
  { mailer, baseUrl }: { readonly mailer: Mailer; readonly baseUrl: string },
  to: string,
  token: string,
): Promise<void> {
  return mailer.send(
    writeLinkMail({
      to,
      subject: 'A new password for Goodword',
      lead: 'Someone asked for a new password for this e-mail address.',
      button: 'Choose a new password',
      link: `${baseUrl}/console/reset-password#${token}`,
      end: 'The link works once and expires after an hour. If this was not you, you can ignore this mail; your password does not change.',
    }),
  );
}
