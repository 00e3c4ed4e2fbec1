import { findTeam } from '../../../accounts/users/queries.ts';
import { findProjectRef } from '../../../accounts/workspaces/queries.ts';
import { projectNow } from '../../../platform/feed/writer/project-clock.ts';
import { permissionsOf } from '../../../platform/http/access/permissions.ts';
import type { ProjectRef } from '../../../platform/http/access/principal.ts';
import { addMs, DAY_MS, type Instant, toInstant, toMs } from '../../../platform/kit/instant.ts';
import { findTroubles } from '../../webhooks/endpoints/queries.ts';
import { NEEDED_PERMISSION, type TeamKind } from '../kinds.ts';
import type { MailDeps, MailWorkerDeps } from '../mail-deps.ts';
import { formatBenefit } from '../render/format-benefit.ts';
import { TEXTS } from '../render/render-mail.ts';
import { findSettings } from '../settings/settings-store.ts';
import { askForDetails } from './ask-for-details.ts';
import { FACT_AGE_MAX_MS } from './decide-mails.ts';
import { findUnfedFacts } from './find-unfed-facts.ts';
import { keepSwitchedOn } from './follow-feed.ts';
import {
  insertMails,
  listApplicationTasks,
  listBatchTasks,
  listProjectsWithMail,
  type NewMail,
  type TeamTask,
} from './outbox-store.ts';

const FOUND_MAX = 200;
const PROJECTS_MAX = 500;

/**
 * Writes the mails about what the feed does not contain, for all Projects that mail; returns how many. A Project that
 * fails holds up no other.
 */
export async function collectTasks(deps: MailWorkerDeps, signal: AbortSignal): Promise<number> {
  let written = 0;
  for (let after = ''; ; ) {
    const projectIds = await listProjectsWithMail(deps.database.reads, after, PROJECTS_MAX);
    for (const projectId of projectIds) {
      if (signal.aborted) return written;
      written += await collectTasksOf(deps, projectId).catch((error: unknown) => {
        deps.onFailure(error);
        return 0;
      });
    }
    const last = projectIds.at(-1);
    if (last === undefined || projectIds.length < PROJECTS_MAX) return written;
    after = last;
  }
}

/** The same for one Project. */
export async function collectTasksOf(deps: MailWorkerDeps, projectId: string): Promise<number> {
  const { reads } = deps.database;
  const realNow = toInstant(deps.clock.nowMs());
  const since = addMs(realNow, -FACT_AGE_MAX_MS);
  const project = await findProjectRef(reads, projectId);
  const settings = await findSettings(reads, projectId);
  if (!project || !settings) return 0;
  const now = await projectNow(reads, deps.clock, project);
  const tasks = await findTasks(deps, project, settings.teamKinds, { since, now: realNow });
  const team = tasks.length === 0 ? [] : await findTeam(reads, project.workspaceId);
  const toTeam = tasks.flatMap(({ kind, factId, about }) =>
    team
      .filter(({ role }) => permissionsOf(role).includes(NEEDED_PERMISSION[kind]))
      .map(({ id }) => ({ kind, factId, recipientId: id, programId: null, data: { about } })),
  );
  const found = await findUnfedFacts(deps, projectId, now);
  const written = await deps.database.transaction(async (tx) => {
    const drafts = await keepSwitchedOn(tx, projectId, found);
    const toPeople = drafts.map(({ participantId, happenedAt, ...draft }) => ({
      ...draft,
      recipientId: participantId,
      projectTime: happenedAt ?? now,
    }));
    const mails = [...toTeam, ...toPeople].map(
      (mail): NewMail => ({ projectTime: now, ...mail, id: deps.newId('mail') }),
    );
    return (await insertMails(tx, projectId, mails, realNow)).length;
  });
  return written + (await askForDetails(deps, projectId, { now, realNow }));
}

async function findTasks(
  { database: { reads } }: MailDeps,
  project: ProjectRef,
  kinds: readonly TeamKind[],
  { since, now }: { readonly since: Instant; readonly now: Instant },
): Promise<TeamTask[]> {
  const { id, workspaceId, environment } = project;
  const tasks: TeamTask[] = [];
  if (kinds.includes('partner_application_received')) {
    const found = await listApplicationTasks(reads, id, since, FOUND_MAX);
    tasks.push(
      ...found.map((task) => ({ ...task, kind: 'partner_application_received' as const })),
    );
  }
  if (kinds.includes('payout_batch_to_approve')) {
    const found = await listBatchTasks(reads, workspaceId, environment, id, since, FOUND_MAX);
    const filled = found.filter(({ totals }) => totals.length > 0);
    tasks.push(
      ...filled.map(({ factId, totals }) => ({
        kind: 'payout_batch_to_approve' as const,
        factId,
        about: totals.map((money) => formatBenefit('en', TEXTS.en, { money })).join(' and '),
      })),
    );
  }
  if (kinds.includes('webhook_endpoint_failing')) {
    const found = await findTroubles(reads, id, 1);
    tasks.push(
      ...found.map(({ endpointId, url }) => ({
        kind: 'webhook_endpoint_failing' as const,
        // Once a week while it fails.
        factId: `${endpointId}/${Math.floor(toMs(now) / (7 * DAY_MS))}`,
        about: new URL(url).host,
      })),
    );
  }
  return tasks;
}
