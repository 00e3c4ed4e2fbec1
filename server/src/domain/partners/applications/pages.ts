import type { FastifyInstance, FastifyReply } from 'fastify';
import { networkOf } from '../../../platform/http/access/client-address.ts';
import { perMinute } from '../../../platform/http/access/rate-limit.ts';
import { statusOf, toAppError } from '../../../platform/http/routes/error-body.ts';
import { type Html, html } from '../../../platform/http/server/html.ts';
import { framePage, messagePage, PAGE_HEADERS } from '../../../platform/http/server/page-html.ts';
import type { PartnerRouteDeps } from '../partner-deps.ts';
import type { ApplicantFacts } from './applicant.ts';
import { PROOF_DAYS } from './proof-token.ts';
import { type Proof, proveEmail, readProof } from './prove-email.ts';

const PATH = '/partner-applications/verify';
const VIEWS_PER_MINUTE = 60;
const FORM_BYTES_MAX = 4_096;

/**
 * The pages behind the link in an applicant's mail. A separate scope, because they accept forms and
 * send HTML, also for errors, while the rest of the app uses JSON. Only pressing the button proves
 * the address: many mail programs open every link automatically.
 */
export function registerPartnerPages(app: FastifyInstance, deps: PartnerRouteDeps): void {
  const views = perMinute(deps.clock, 'pages', VIEWS_PER_MINUTE);
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
      async (_request: unknown, body: string) => new URLSearchParams(body),
    );
    scope.addHook('onRequest', async (request, reply) => {
      reply.headers(PAGE_HEADERS);
      const verdict = views.take(networkOf(request.ip));
      if (!verdict.allowed) throw views.refusal(verdict);
    });
    scope.setErrorHandler((error, request, reply) => {
      const refusal = toAppError(error);
      if (refusal.code === 'INTERNAL_ERROR') deps.onFailure(error, request.id);
      // Set the headers again: an error resets the content type.
      reply.code(statusOf(refusal)).headers({ ...PAGE_HEADERS, ...refusal.headers });
      return reply.send(messagePage('That did not work', refusalText(refusal.code)));
    });
    scope.get(PATH, async (request, reply) => {
      const { token } = request.query as { token?: unknown };
      const text = typeof token === 'string' ? token : '';
      return show(reply, await readProof(deps, text), text);
    });
    scope.post(PATH, async (request, reply) => {
      const form = request.body as URLSearchParams | undefined;
      const token = form?.get('token') ?? '';
      return show(reply, await proveEmail(deps, token, form?.get('digest') ?? ''), token);
    });
  });
}

function show(reply: FastifyReply, proof: Proof, token: string): FastifyReply {
  switch (proof.state) {
    case 'open':
      return reply.code(proof.isChanged ? 409 : 200).send(askPage({ ...proof, token }));
    case 'proven':
      return reply.send(thanksPage(proof.email, proof.programName));
    case 'closed':
      return reply
        .code(410)
        .send(messagePage('This application is closed', 'There is nothing to confirm any more.'));
    case 'invalid':
      return reply
        .code(400)
        .send(
          messagePage(
            'This link does not work',
            `The link is incomplete, is older than ${PROOF_DAYS} days, or was replaced by a newer one. Open the link in the newest mail, or apply again to get a new one.`,
          ),
        );
  }
}

function refusalText(code: string): string {
  return code === 'RATE_LIMITED'
    ? 'There were too many requests from your network. Wait a minute and open the link again.'
    : 'Please open the link again in a moment.';
}

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
<p class="soft">If you did not apply, close this page. The application cannot be approved without your confirmation.</p>`,
  );
}

const CHANGED = html`<p class="note" role="status">The application was sent again after you opened this page. Please check it again.</p>\n`;

function row(term: string, text: string): Html {
  return html`<div><dt>${term}</dt><dd>${text}</dd></div>`;
}

export function thanksPage(email: string, programName: string): string {
  return framePage(
    'done',
    'Thank you, your address is confirmed',
    html`<p>You confirmed that <strong>${email}</strong> is yours. The people who run <strong>${programName}</strong> can now review your application.</p>
<p class="soft">You do not need to do anything else. You can close this page.</p>`,
  );
}
