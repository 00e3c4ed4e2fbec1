import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findWorkspaceName } from '../../accounts/workspaces/queries.ts';
import { choosePartner, endSession } from '../../domain/partners/sign-in/session.ts';
import { askForLink, readLink, signIn } from '../../domain/partners/sign-in/sign-in-link.ts';
import { networkOf } from '../../platform/http/access/client-address.ts';
import { perMinute, RateLimit } from '../../platform/http/access/rate-limit.ts';
import { compileCheck } from '../../platform/http/routes/validate.ts';
import { EmailText } from '../../platform/kit/schema.ts';
import type { PartnerPageDeps } from './partner-page-deps.ts';
import { askPage, choicePage, deadLinkPage, linkPage, sentPage } from './sign-in-html.ts';
import { sendPage, type Visits } from './visit.ts';

const LINKS_PER_MINUTE = 10;
/** Per mailbox: enough for somebody who loses a link, too few to flood the mailbox. */
const LINKS_PER_HOUR = 5;

const checkEmail = compileCheck(EmailText('To sign in with.'), 'body');

/** Signing in and out. */
export function registerSignInPages(
  scope: FastifyInstance,
  deps: PartnerPageDeps,
  visits: Visits,
): void {
  const { shellOf } = visits;
  const perNetwork = perMinute(deps.clock, 'sign-in-links', LINKS_PER_MINUTE);
  const perMailbox = new RateLimit(
    deps.clock,
    'sign-in-mailbox',
    LINKS_PER_HOUR / 3_600,
    LINKS_PER_HOUR,
  );

  scope.post('/partner/link', async (request, reply) => {
    const email = visits.formOf(request).get('email')?.trim() ?? '';
    if (!isEmail(email)) {
      const page = askPage(shellOf(request), visits.formTokenOf(request, reply), email);
      return sendPage(reply.code(400), page);
    }
    perNetwork.admit(networkOf(request.ip));
    // The response is the same beyond the limit: others cannot lock a mailbox's owner out, and they
    // learn nothing from it.
    if (perMailbox.take(email.toLowerCase()).allowed) await askForLink(deps, email);
    return visits.redirect(reply, '/sent');
  });
  scope.get('/partner/sent', async (request, reply) => sendPage(reply, sentPage(shellOf(request))));

  scope.get('/partner/sign-in', async (request, reply) => {
    const { token } = request.query as { token?: unknown };
    const text = typeof token === 'string' ? token : '';
    const link = await readLink(deps, text);
    if (link.state !== 'open') return refuseLink(request, reply, link.state);
    const formToken = visits.formTokenOf(request, reply);
    return sendPage(reply, linkPage(shellOf(request), formToken, text, link.email));
  });
  scope.post('/partner/sign-in', async (request, reply) => {
    const token = visits.formOf(request).get('token') ?? '';
    const before = await visits.sessionOf(request);
    const outcome = await signIn(deps, token);
    if ('state' in outcome) return refuseLink(request, reply, outcome.state);
    if (before) await endSession(deps, before);
    visits.setSession(reply, outcome.sessionToken);
    return visits.redirect(reply, '');
  });

  scope.get('/partner/choose', async (request, reply) => {
    const session = await visits.sessionOf(request);
    if (!session) return visits.redirect(reply, '');
    const partners = await Promise.all(
      session.partners.map(async (partner) => ({
        ...partner,
        workspaceName: await findWorkspaceName(deps.database.reads, partner.workspaceId),
      })),
    );
    const formToken = visits.formTokenOf(request, reply);
    return sendPage(reply, choicePage(shellOf(request), formToken, partners));
  });
  scope.post('/partner/choose', async (request, reply) => {
    const partnerId = visits.formOf(request).get('partner') ?? '';
    const session = await visits.sessionOf(request);
    const isChosen = session !== undefined && (await choosePartner(deps, session, partnerId));
    return visits.redirect(reply, session && !isChosen ? '/choose' : '');
  });

  scope.post('/partner/sign-out', async (request, reply) => {
    visits.formOf(request);
    const session = await visits.sessionOf(request);
    if (session) await endSession(deps, session);
    visits.clearSession(reply);
    return visits.redirect(reply, '');
  });

  /** A button that was pressed twice has signed in all the same. */
  async function refuseLink(
    request: FastifyRequest,
    reply: FastifyReply,
    state: 'spent' | 'invalid',
  ): Promise<FastifyReply> {
    if (state === 'spent' && (await visits.sessionOf(request))) return visits.redirect(reply, '');
    const isSpent = state === 'spent';
    return sendPage(reply.code(isSpent ? 410 : 400), deadLinkPage(shellOf(request), isSpent));
  }
}

function isEmail(text: string): boolean {
  try {
    checkEmail(text);
    return true;
  } catch {
    return false;
  }
}
