import { escapeHtml } from '../../../platform/http/server/escape-html.ts';
import type { Mail } from '../../../platform/mail/mailer.ts';
import { PROOF_DAYS } from './proof-token.ts';

/**
 * Contains nothing that the applicant wrote: anyone may enter a stranger's address, and must not be
 * able to send that stranger their own words in our name.
 */
export function writeProofMail(to: string, programName: string, link: string): Mail {
  const lead = `Someone applied to join “${programName}” as a partner with this e-mail address.`;
  const ask = 'If it was you, confirm that the address is yours:';
  const end = `The link works for ${PROOF_DAYS} days. If it was not you, there is nothing to do: without your confirmation the application goes no further.`;
  return {
    to,
    subject: `Confirm your e-mail address for ${programName}`,
    text: [lead, '', ask, link, '', end, ''].join('\n'),
    html: `<!doctype html>
<html lang="en"><body style="margin:0;padding:24px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:32rem;margin:0 auto">
<p>${escapeHtml(lead)}</p>
<p>${ask}</p>
<p><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#1f5f4a;color:#ffffff;text-decoration:none;font-weight:600">Confirm e-mail address</a></p>
<p>${end}</p>
</div></body></html>
`,
  };
}
