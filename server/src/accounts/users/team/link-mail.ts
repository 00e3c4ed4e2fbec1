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
    writeLinkMail({
      to,
      subject: 'A new password for Goodword',
      lead: 'Someone asked for a new password for this e-mail address.',
      button: 'Choose a new password',
      link: `${baseUrl}/console/reset-password#${token}`,
      end: 'The link works once, and for an hour. If it was not you, there is nothing to do: the password stays as it is.',
    }),
  );
}
