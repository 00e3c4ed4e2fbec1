import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findProjectByKey, findWorkspaceName } from '../../../accounts/workspaces/queries.ts';
import { applyAsPartner } from '../../../domain/partners/applications/apply.ts';
import { findProgram, listPrograms, type ProgramState } from '../../../domain/programs/queries.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { projectNow } from '../../../platform/feed/writer/project-clock.ts';
import { networkOf } from '../../../platform/http/access/client-address.ts';
import type { ProjectRef } from '../../../platform/http/access/principal.ts';
import { perMinute } from '../../../platform/http/access/rate-limit.ts';
import { AppError, notFound } from '../../../platform/kit/errors.ts';
import { type Brand, brandOf } from '../brand.ts';
import type { PartnerPageDeps } from '../partner-page-deps.ts';
import { loadTermsNow } from '../program/load-terms.ts';
import { describeTerms } from '../program/terms-words.ts';
import { sendPage, type Visits } from '../visit.ts';
import {
  type ApplyErrors,
  type ApplyValues,
  readApplyValues,
  toApplication,
  toApplyErrors,
} from './apply-form.ts';
import { appliedPage, applyClosedPage, applyPage } from './apply-html.ts';

/** By a project's public key the program that has been open for longest, or a program of it. */
const PATHS = ['/partner/apply/:projectKey', '/partner/apply/:projectKey/:programId'] as const;
/** A message of 2,000 letters of any script, as browsers write it in a form. */
const APPLICATION_BYTES_MAX = 32_768;

interface Applying {
  readonly project: ProjectRef;
  readonly program: ProgramState;
  readonly brand: Brand;
}

interface Entry {
  readonly values: ApplyValues;
  readonly errors: ApplyErrors;
}

const EMPTY: Entry = { values: {}, errors: new Map() };

/** The page on which people apply to become partners. */
export function registerApplyPages(
  scope: FastifyInstance,
  deps: PartnerPageDeps,
  visits: Visits,
): void {
  const { reads } = deps.database;
  const limit = perMinute(deps.clock, 'applications', deps.applicationsPerMinute);

  for (const path of PATHS) {
    scope.get(path, async (request, reply) => {
      const applying = await findApplying(request);
      const isSent = 'sent' in (request.query as object);
      if (!isSent) return show(request, reply, applying, EMPTY);
      const page = appliedPage(visits.shellOf(request), applying.brand, deps.mailer !== null);
      return sendPage(reply, page);
    });

    scope.post(path, { bodyLimit: APPLICATION_BYTES_MAX }, async (request, reply) => {
      const values = readApplyValues(visits.formOf(request));
      const applying = await findApplying(request);
      try {
        const application = toApplication(applying.program.id, values);
        limit.admit(networkOf(request.ip));
        await applyAsPartner(deps, applying.project, application);
      } catch (error) {
        const isClosed = error instanceof AppError && error.reason === 'program_not_open';
        const { texts } = visits.shellOf(request).reader;
        const errors = isClosed ? EMPTY.errors : toApplyErrors(error, texts);
        if (!errors) throw error;
        return show(request, reply.code(isClosed ? 409 : 400), applying, { values, errors });
      }
      return visits.redirect(reply, `${addressOf(request)}?sent`);
    });
  }

  async function findApplying(request: FastifyRequest): Promise<Applying> {
    const { projectKey, programId } = request.params as { projectKey: string; programId?: string };
    // The database takes no such text.
    if (`${projectKey}${programId}`.includes('\0')) throw notFound('project');
    const project = await findProjectByKey(reads, projectKey);
    if (!project) throw notFound('project');
    const now = await projectNow(reads, deps.clock, project);
    const id = programId ?? (await findProgramId(reads, project.id));
    const program = await findProgram(reads, project.id, id, now);
    if (program?.kind !== 'affiliate') throw notFound('program');
    const workspaceName = await findWorkspaceName(reads, project.workspaceId);
    return { project, program, brand: brandOf(program, workspaceName) };
  }

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    { project, program, brand }: Applying,
    entry: Entry,
  ): Promise<FastifyReply> {
    const shell = visits.shellOf(request);
    if (!isOpen(program)) return sendPage(reply, applyClosedPage(shell, brand));
    const { terms } = await loadTermsNow(deps, { project, id: program.id });
    const page = applyPage(shell, {
      brand,
      programName: program.name,
      terms: describeTerms(terms, shell.reader),
      action: visits.root + addressOf(request),
      formToken: visits.formTokenOf(request, reply),
      ...entry,
    });
    return sendPage(reply, page);
  }
}

/** The oldest that takes applications, or else the oldest of all; '' if nobody can be a partner. */
async function findProgramId(db: Queryable, projectId: string): Promise<string> {
  const all = await listPrograms(db, projectId);
  const programs = all.filter(({ kind }) => kind === 'affiliate');
  return (programs.find(isOpen) ?? programs[0])?.id ?? '';
}

/** The page's address below the base of all pages. */
function addressOf(request: FastifyRequest): string {
  const { projectKey, programId } = request.params as { projectKey: string; programId?: string };
  return ['/apply', projectKey, ...(programId === undefined ? [] : [programId])].join('/');
}

function isOpen({ status, config }: Pick<ProgramState, 'status' | 'config'>): boolean {
  return status === 'active' && config.partnerApplicationsOpen;
}
