import { type Html, html } from '../../../platform/http/server/html.ts';
import { framePage } from '../../../platform/http/server/page-html.ts';
import type { ApplicantFacts } from './applicant.ts';

interface Question {
  readonly facts: Pick<ApplicantFacts, 'name' | 'email' | 'companyName' | 'website'>;
  readonly programName: string;
  readonly token: string;
  readonly digest: string;
  /** Whether the applicant must confirm again because the application has changed. */
  readonly isChanged: boolean;
}

/** Shows what the applicant confirms: a stranger may have written it, and the mail does not contain it. */
export function askPage({ facts, programName, token, digest, isChanged }: Question): string {
  return framePage(
    'mail',
    'Confirm your application',
    html`${isChanged ? CHANGED : null}<p>This application to become a partner was sent with your e-mail address:</p>
<dl>
${row('Program', programName)}
${row('E-mail address', facts.email)}
${row('Name', facts.name)}
${facts.companyName === null ? '' : row('Company', facts.companyName)}
${facts.website === null ? '' : row('Website', facts.website)}
</dl>
<form method="post" action="verify">
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="digest" value="${digest}">
<button type="submit">This is my application</button>
</form>
<p class="soft">If it is not yours, close this page: without your confirmation it goes no further.</p>`,
  );
}

const CHANGED = html`<p class="note" role="status">The application was sent anew after you opened this page. Look at it once more.</p>\n`;

function row(term: string, text: string): Html {
  return html`<div><dt>${term}</dt><dd>${text}</dd></div>`;
}

export function thanksPage(email: string, programName: string): string {
  return framePage(
    'done',
    'Thank you, your address is confirmed',
    html`<p>We know now that <strong>${email}</strong> is yours. Your application to <strong>${programName}</strong> is with the people who run the program.</p>
<p class="soft">There is nothing more to do. You can close this page.</p>`,
  );
}
