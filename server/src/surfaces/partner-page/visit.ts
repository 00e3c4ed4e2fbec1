import { parseCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findWorkspaceName } from '../../accounts/workspaces/queries.ts';
import type { PartnerRouteDeps } from '../../domain/partners/partner-deps.ts';
import { findSession, type Session } from '../../domain/partners/sign-in/session.ts';
import type { FindPayable } from '../../domain/rewards/queries.ts';
import type { CookieJar, FormGuard } from './cookies.ts';
import { type Formats, formatsFor } from './formats.ts';
import type { Frame } from './layout.ts';

/** Session and form handling of the pages. */
export interface Visits {
  /** The base address of the pages, without a trailing slash. */
  readonly root: string;
  /** The session; undefined if nobody is signed in (any more). */
  sessionOf(request: FastifyRequest): Promise<Session | undefined>;
  /**
   * The session of a visitor who has chosen a partner; otherwise sends a redirect to the choice or
   * sign-in.
   */
  enter(request: FastifyRequest, reply: FastifyReply): Promise<Entered | undefined>;
  formTokenOf(request: FastifyRequest, reply: FastifyReply): string;
  /** The submitted form, if it certainly comes from one of our pages. Fails with FORBIDDEN. */
  formOf(request: FastifyRequest): URLSearchParams;
  formatsOf(request: FastifyRequest): Formats;
  setSession(reply: FastifyReply, token: string): void;
  clearSession(reply: FastifyReply): void;
  redirect(reply: FastifyReply, path: string): FastifyReply;
}

interface Entered {
  readonly session: Session;
  readonly frame: Frame;
}

export function createVisits(
  deps: PartnerPageDeps,
  jar: CookieJar,
  guard: FormGuard,
  root: string,
): Visits {
  const sessionOf = async ({ headers }: FastifyRequest) => {
    const token = parseCookie(headers.cookie ?? '')[jar.session];
    return token === undefined ? undefined : findSession(deps, token);
  };
  const redirect = (reply: FastifyReply, path: string) => reply.redirect(root + path, 303);
  return {
    root,
    sessionOf,
    redirect,
    async enter(request, reply) {
      const session = await sessionOf(request);
      const partner = session?.chosen;
      if (!session || !partner) {
        redirect(reply, session ? '/choose' : '');
        return undefined;
      }
      const frame: Frame = {
        root,
        formToken: guard.tokenFor(request, reply),
        partner,
        workspaceName: await findWorkspaceName(deps.database.reads, partner.workspaceId),
        hasOthers: session.partners.length > 1,
      };
      return { session, frame };
    },
    formTokenOf: (request, reply) => guard.tokenFor(request, reply),
    formOf(request) {
      const form = (request.body as URLSearchParams | undefined) ?? new URLSearchParams();
      guard.check(request, form);
      return form;
    },
    formatsOf: ({ headers }) => formatsFor(headers['accept-language']),
    setSession(reply, token) {
      reply.header('set-cookie', jar.set(jar.session, token));
    },
    clearSession(reply) {
      reply.header('set-cookie', jar.clear(jar.session));
    },
  };
}

export type PartnerPageDeps = Omit<
  PartnerRouteDeps,
  'writer' | 'eraseBesides' | 'applicationsPerMinute'
> & { readonly findPayable: FindPayable };
