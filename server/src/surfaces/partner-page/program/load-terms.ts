import { versionAt } from '../../../domain/programs/program-book.ts';
import {
  findDelivery,
  listPolicies,
  listTermsInForce,
  type TermsInForce,
} from '../../../domain/programs/queries.ts';
import { findSettings } from '../../../outbound/payouts/queries.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { projectNow } from '../../../platform/feed/writer/project-clock.ts';
import type { ProjectRef } from '../../../platform/http/access/principal.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { PartnerPageDeps } from '../partner-page-deps.ts';
import type { ProgramTerms } from './terms-words.ts';

/** The terms of a program at a time. */
export interface TermsNow {
  readonly now: Instant;
  readonly inForce: readonly TermsInForce[];
  readonly terms: ProgramTerms;
}

/** The terms of a program in force, by the clock of its project. */
export async function loadTermsNow(
  { database: { reads }, clock }: Pick<PartnerPageDeps, 'database' | 'clock'>,
  { project, id }: { readonly project: ProjectRef; readonly id: string },
): Promise<TermsNow> {
  return loadTerms(reads, project, id, await projectNow(reads, clock, project));
}

async function loadTerms(
  db: Queryable,
  project: Pick<ProjectRef, 'id' | 'workspaceId'>,
  programId: string,
  now: Instant,
): Promise<TermsNow> {
  const [inForce, policies, delivery, { minimums }] = await Promise.all([
    listTermsInForce(db, project.id, programId, now),
    listPolicies(db, project.id, programId),
    findDelivery(db, project.id, programId),
    findSettings(db, project.workspaceId),
  ]);
  const rules = inForce.map((terms) => ({
    eventType: terms.eventType,
    beneficiaryRole: terms.beneficiaryRole,
    terms,
  }));
  const terms = {
    rules,
    windowDays: versionAt(policies.toReversed(), now)?.windowDays ?? null,
    holdDays: delivery?.holdDays ?? 0,
    // They are for payouts of the service.
    minimums: delivery?.cashMethod === 'payout' ? minimums : {},
  };
  return { now, inForce, terms };
}
