import { type Mail, writeLinkMail } from '../../../platform/mail/mailer.ts';
import { PROOF_DAYS } from './proof-token.ts';

/**
 * Contains nothing that the applicant wrote: anyone may enter a stranger's address, and must not be
 * able to send that stranger their own words in our name.
 */
export function writeProofMail(to: string, programName: string, link: string): Mail {
  return writeLinkMail({
    to,
    subject: `Confirm your e-mail address for ${programName}`,
    lead: `Someone applied to join “${programName}” as a partner with this e-mail address.`,
    ask: 'If it was you, confirm that the address is yours:',
    button: 'Confirm e-mail address',
    link,
    end: `The link works for ${PROOF_DAYS} days. If it was not you, there is nothing to do: without your confirmation the application goes no further.`,
  });
}
