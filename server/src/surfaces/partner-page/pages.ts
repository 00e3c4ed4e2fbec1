import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../../platform/http/access/client-address.ts';
import { perMinute } from '../../platform/http/access/rate-limit.ts';
import { statusOf, toAppError } from '../../platform/http/routes/error-body.ts';
import { AppError, type ErrorCode } from '../../platform/kit/errors.ts';
import { registerAccountPages } from './account-pages.ts';
import { registerApplyPages } from './apply/apply-pages.ts';
import { cookieJarFor, createFormGuard } from './cookies.ts';
import { HEADERS, type Shell } from './layout.ts';
import { registerLinkPages } from './link-pages.ts';
import type { PartnerPageDeps } from './partner-page-deps.ts';
import { registerResultsPages } from './results/results-pages.ts';
import { troublePage } from './sign-in-html.ts';
import { registerSignInPages } from './sign-in-pages.ts';
import { isLanguage } from './texts/languages.ts';
import type { TextName } from './texts/texts.ts';
import { createShells, createVisits, LANGUAGE_PARAMETER, sendPage } from './visit.ts';

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
      const { [LANGUAGE_PARAMETER]: language } = request.query as Record<string, unknown>;
      if (jar && isLanguage(language)) {
        reply.header('set-cookie', jar.set(jar.language, language));
      }
    });
    const shellOf = createShells(root, jar);
    scope.setErrorHandler((error, request, reply) => refuse(deps, shellOf(request), error, reply));
    const showUnavailable = async (request: FastifyRequest, reply: FastifyReply) => {
      const shell = shellOf(request);
      const { texts } = shell.reader;
      const page = troublePage(shell, texts.unavailableTitle, texts.unavailableText, false);
      return sendPage(reply.code(503), page);
    };
    // A session, and what belongs to a browser's form, must not cross a network unencrypted.
    if (!jar) {
      for (const path of ['/partner', '/partner/apply/*']) scope.get(path, showUnavailable);
      return;
    }
    const guard = createFormGuard(deps.keyring, jar, deps.baseUrl);
    const visits = createVisits(deps, jar, guard, root);
    registerApplyPages(scope, deps, visits);
    // Links to sign in are sent by mail.
    if (deps.mailer === null) {
      scope.get('/partner', showUnavailable);
      return;
    }
    registerSignInPages(scope, deps, visits);
    registerAccountPages(scope, deps, visits);
    registerResultsPages(scope, deps, visits);
    registerLinkPages(scope, deps, visits);
    // People get here by a mistyped address, or one left over from a form.
    scope.get('/partner/*', async () => {
      throw new AppError('NOT_FOUND', 'There is no such page.');
    });
  });
}

const TEXTS: Readonly<Partial<Record<ErrorCode, readonly [title: TextName, text: TextName]>>> = {
  FORBIDDEN: ['outOfDateTitle', 'outOfDateText'],
  RATE_LIMITED: ['tooManyTitle', 'tooManyText'],
  PAYLOAD_TOO_LARGE: ['tooLargeTitle', 'tooLargeText'],
  NOT_FOUND: ['noPageTitle', 'noPageText'],
  INVALID_REQUEST: ['noPageTitle', 'noPageText'],
};

function refuse(
  deps: PartnerPageDeps,
  shell: Shell,
  error: unknown,
  reply: FastifyReply,
): FastifyReply {
  const refusal = toAppError(error);
  if (refusal.code === 'INTERNAL_ERROR') deps.onFailure(error, reply.request.id);
  const [title, text] = TEXTS[refusal.code] ?? ['failedTitle', 'failedText'];
  const { texts } = shell.reader;
  // Set again, because an error resets the content type.
  reply.code(statusOf(refusal)).headers({ ...HEADERS, ...refusal.headers });
  return sendPage(reply, troublePage(shell, texts[title], texts[text]));
}
