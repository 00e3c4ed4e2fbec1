import { parseCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findWorkspaceName } from '../../accounts/workspaces/queries.ts';
import { findSession, type Session } from '../../domain/partners/sign-in/session.ts';
import type { CookieJar, FormGuard } from './cookies.ts';
import type { Frame, Page, Shell } from './layout.ts';
import {
  type JoinedProgram,
  loadPartnerProjects,
  loadPrograms,
  type PartnerProject,
} from './load-partner.ts';
import type { PartnerPageDeps } from './partner-page-deps.ts';
import { readerFor } from './reader.ts';

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
  shellOf(request: FastifyRequest): Shell;
  formTokenOf(request: FastifyRequest, reply: FastifyReply): string;
  /** The submitted form, if it certainly comes from one of our pages. Fails with FORBIDDEN. */
  formOf(request: FastifyRequest): URLSearchParams;
  setSession(reply: FastifyReply, token: string): void;
  clearSession(reply: FastifyReply): void;
  redirect(reply: FastifyReply, path: string): FastifyReply;
}

export interface Entered {
  readonly session: Session;
  readonly frame: Frame;
  readonly projects: readonly PartnerProject[];
  readonly programs: readonly JoinedProgram[];
}

/** The parameter that switches the language; a cookie keeps it. */
export const LANGUAGE_PARAMETER = 'lang';

/** How a page is shown to whoever asks for it. `jar` is undefined where there are no cookies. */
export function createShells(
  root: string,
  jar: CookieJar | undefined,
): (request: FastifyRequest) => Shell {
  const prefix = root.slice(0, -'/partner'.length);
  return (request) => {
    const { headers, method, url } = request;
    const { [LANGUAGE_PARAMETER]: asked } = request.query as Record<string, unknown>;
    const kept = jar && parseCookie(headers.cookie ?? '')[jar.language];
    const chosen = typeof asked === 'string' ? asked : kept;
    return {
      root,
      reader: readerFor(chosen, headers['accept-language']),
      addressIn(code) {
        const [path = '', query = ''] = (method === 'GET' ? url : pageOf(url)).split('?');
        const parameters = new URLSearchParams(query);
        parameters.set(LANGUAGE_PARAMETER, code);
        return `${prefix}${path}?${parameters}`;
      },
    };
  };
}

/** The page that shows a form, where it has another address than the form is sent to. */
function pageOf(url: string): string {
  const [path = ''] = url.split('?');
  return path === '/partner/details' || path.startsWith('/partner/apply/') ? path : '/partner';
}

export function sendPage(reply: FastifyReply, { text, policy }: Page): FastifyReply {
  return reply.header('content-security-policy', policy).send(text);
}

export function createVisits(
  deps: PartnerPageDeps,
  jar: CookieJar,
  guard: FormGuard,
  root: string,
): Visits {
  const shellOf = createShells(root, jar);
  const sessionOf = async ({ headers }: FastifyRequest) => {
    const token = parseCookie(headers.cookie ?? '')[jar.session];
    return token === undefined ? undefined : findSession(deps, token);
  };
  const redirect = (reply: FastifyReply, path: string) => reply.redirect(root + path, 303);
  return {
    root,
    sessionOf,
    shellOf,
    redirect,
    async enter(request, reply) {
      const session = await sessionOf(request);
      const partner = session?.chosen;
      if (!session || !partner) {
        redirect(reply, session ? '/choose' : '');
        return undefined;
      }
      const [workspaceName, projects] = await Promise.all([
        findWorkspaceName(deps.database.reads, partner.workspaceId),
        loadPartnerProjects(deps, partner),
      ]);
      const joined = await Promise.all(
        projects.map((project) => loadPrograms(deps, project, workspaceName)),
      );
      for (const { project, participantId } of projects) {
        await deps.recordNetwork(project, participantId, request.ip);
      }
      const programs = joined.flat();
      const [program] = programs;
      const frame: Frame = {
        ...shellOf(request),
        formToken: guard.tokenFor(request, reply),
        partner,
        workspaceName,
        brand:
          program && programs.length === 1
            ? program.brand
            : { name: workspaceName, logoUrl: null, colour: null },
        hasOthers: session.partners.length > 1,
      };
      return { session, frame, projects, programs };
    },
    formTokenOf: (request, reply) => guard.tokenFor(request, reply),
    formOf(request) {
      const form = (request.body as URLSearchParams | undefined) ?? new URLSearchParams();
      guard.check(request, form);
      return form;
    },
    setSession(reply, token) {
      reply.header('set-cookie', jar.set(jar.session, token));
    },
    clearSession(reply) {
      reply.header('set-cookie', jar.clear(jar.session));
    },
  };
}
