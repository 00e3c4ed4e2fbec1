import type { FastifyInstance, FastifyReply } from 'fastify';
import { networkOf } from '../../../platform/http/access/client-address.ts';
import { perMinute } from '../../../platform/http/access/rate-limit.ts';
import { statusOf, toAppError } from '../../../platform/http/routes/error-body.ts';
import { html } from '../../../platform/http/server/html.ts';
import { framePage, messagePage, PAGE_HEADERS } from '../../../platform/http/server/page-html.ts';
import { toInstant } from '../../../platform/kit/instant.ts';
import { LANGUAGES, type Language } from '../kinds.ts';
import type { MailDeps } from '../mail-deps.ts';
import { TEXTS } from '../render/render-mail.ts';
import { insertOptOut } from '../send/mail-store.ts';
import { readUnsubscribeToken, type Subscription } from './unsubscribe-token.ts';

const PATH = '/mail/unsubscribe';
const VIEWS_PER_MINUTE = 60;
const FORM_BYTES_MAX = 4_096;
/** Mails of all kinds. */
const ALL = '';

export interface UnsubscribeDeps extends Pick<MailDeps, 'database' | 'clock' | 'keyring'> {
  readonly onFailure: (error: unknown, requestId: string) => void;
}

/**
 * The page behind the link in a mail, and the address that mail programs post to (RFC 8058). Neither needs a
 * session. Opening the page changes nothing, because many mail programs open every link.
 */
export function registerUnsubscribePages(app: FastifyInstance, deps: UnsubscribeDeps): void {
  const views = perMinute(deps.clock, 'pages', VIEWS_PER_MINUTE);
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      ['application/x-www-form-urlencoded', 'multipart/form-data'],
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
      reply.code(statusOf(refusal)).headers({ ...PAGE_HEADERS, ...refusal.headers });
      return reply.send(messagePage('That did not work', 'Please try again in a moment.'));
    });
    scope.get(PATH, async (request, reply) => {
      const token = tokenOf(request.query);
      return readUnsubscribeToken(deps.keyring, token)
        ? reply.send(askPage(token, languageOf(request.query)))
        : refuse(reply);
    });
    scope.post(PATH, async (request, reply) => {
      const subscription = readUnsubscribeToken(deps.keyring, tokenOf(request.query));
      if (!subscription) return refuse(reply);
      const form = request.body as URLSearchParams | undefined;
      await unsubscribe(deps, subscription, form?.get('from') === 'all');
      return reply.send(donePage(languageOf(request.query)));
    });
  });
}

async function unsubscribe(
  { database, clock }: UnsubscribeDeps,
  { projectId, recipientId, kind }: Subscription,
  isAll: boolean,
): Promise<void> {
  const now = toInstant(clock.nowMs());
  await database.transaction(async (tx) => {
    insertOptOut(tx, projectId, recipientId, isAll ? ALL : kind, now);
  });
}

function tokenOf(query: unknown): string {
  const { token } = query as { token?: unknown };
  return typeof token === 'string' ? token : '';
}

function languageOf(query: unknown): Language {
  const { lang } = query as { lang?: unknown };
  return LANGUAGES.find((one) => one === lang) ?? 'en';
}

function refuse(reply: FastifyReply): FastifyReply {
  const text = 'The link is incomplete. Open the link in the mail again.';
  return reply.code(400).send(messagePage('This link does not work', text));
}

function askPage(token: string, lang: Language): string {
  const { title, question, thisKind, everyKind, whatStays } = TEXTS[lang].unsubscribe;
  const content = html`<p>${question}</p>
<form method="post" action="unsubscribe?token=${token}&amp;lang=${lang}">
<button type="submit" name="from" value="kind">${thisKind}</button>
<button class="second" type="submit" name="from" value="all">${everyKind}</button>
</form>
<p class="soft">${whatStays}</p>`;
  return framePage('mail', title, content, lang);
}

function donePage(lang: Language): string {
  const { doneTitle, done } = TEXTS[lang].unsubscribe;
  return framePage('done', doneTitle, html`<p>${done}</p>`, lang);
}
