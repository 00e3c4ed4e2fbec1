import type { FastifyInstance, FastifyReply } from 'fastify';
import { networkOf } from '../../platform/http/access/client-address.ts';
import { perMinute } from '../../platform/http/access/rate-limit.ts';
import { statusOf, toAppError } from '../../platform/http/routes/error-body.ts';
import { AppError, type ErrorCode } from '../../platform/kit/errors.ts';
import { registerAccountPages } from './account-pages.ts';
import { cookieJarFor, createFormGuard } from './cookies.ts';
import { HEADERS } from './layout.ts';
import { troublePage } from './sign-in-html.ts';
import { registerSignInPages } from './sign-in-pages.ts';
import { createVisits, type PartnerPageDeps } from './visit.ts';

const VIEWS_PER_MINUTE = 120;
const FORM_BYTES_MAX = 8_192;

/**
 * The partners' own page, opened by a link in a mail. It has its own scope because it accepts forms
 * and responds in HTML, also for refusals, while the rest of the app uses JSON.
 */
export function registerPartnerPage(app: FastifyInstance, deps: PartnerPageDeps): void {
  const views = perMinute(deps.clock, 'partner-page', VIEWS_PER_MINUTE);
  const jar = cookieJarFor(deps.baseUrl);
  const root = `${new URL(deps.baseUrl).pathname.replace(/\/$/, '')}/partner`;
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
      async (_request: unknown, body: string) => new URLSearchParams(body),
    );
    scope.addHook('onRequest', async (request, reply) => {
      reply.headers(HEADERS);
      views.admit(networkOf(request.ip));
    });
    scope.setErrorHandler((error, _request, reply) => refuse(deps, root, error, reply));
    const isAvailable = deps.mailer !== null && jar !== undefined;
    if (!isAvailable) {
      scope.get('/partner', async (_request, reply) => reply.code(503).send(unavailablePage()));
      return;
    }
    const guard = createFormGuard(deps.keyring, jar, deps.baseUrl);
    const visits = createVisits(deps, jar, guard, root);
    registerSignInPages(scope, deps, visits);
    registerAccountPages(scope, deps, visits);
    // People get here by a mistyped address, or one left over from a form.
    scope.get('/partner/*', async () => {
      throw new AppError('NOT_FOUND', 'There is no such page.');
    });
  });
}

/** Links are sent by mail, and a session must not cross a network unencrypted. */
function unavailablePage(): string {
  return troublePage(
    'The partner page is not available',
    'Signing in requires mail and https, which are not set up here. Contact the people who run the program.',
    null,
  );
}

const TEXTS: Readonly<Partial<Record<ErrorCode, readonly [title: string, text: string]>>> = {
  FORBIDDEN: [
    'This form is out of date',
    'It was open for too long, or your browser does not accept cookies. Nothing was changed. Open the page again and retry.',
  ],
  RATE_LIMITED: [
    'Too many requests',
    'There were too many requests from your network. Wait a minute and try again.',
  ],
  PAYLOAD_TOO_LARGE: ['Your entry is too long', 'Nothing was changed. Shorten it and try again.'],
  NOT_FOUND: ['There is no such page', 'The address is incomplete or wrong.'],
  INVALID_REQUEST: ['There is no such page', 'The address is incomplete or wrong.'],
};

function refuse(
  deps: PartnerPageDeps,
  root: string,
  error: unknown,
  reply: FastifyReply,
): FastifyReply {
  const refusal = toAppError(error);
  if (refusal.code === 'INTERNAL_ERROR') deps.onFailure(error, reply.request.id);
  const [title, text] = TEXTS[refusal.code] ?? [
    'That did not work',
    'Please try again in a moment.',
  ];
  return (
    reply
      .code(statusOf(refusal))
      // Set again, because an error resets the content type.
      .headers({ ...HEADERS, ...refusal.headers })
      .send(troublePage(title, text, root))
  );
}
