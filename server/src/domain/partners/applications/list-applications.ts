import type { ProjectRef } from '../../../platform/http/access/principal.ts';
import { type ListFilter, type ListPage, toListCursor } from '../list-page.ts';
import type { PartnerDeps } from '../partner-deps.ts';
import type { PartnerApplication } from '../schema.ts';
import { type ApplicationRow, listApplications as listRows } from '../store.ts';
import { makeProofToken, toProofUrl } from './proof-token.ts';

interface ApplicationsAsked {
  readonly filter: ListFilter;
  readonly page: ListPage;
  readonly showsLinks: boolean;
}

/** Newest first. */
export async function listApplications(
  deps: PartnerDeps,
  project: ProjectRef,
  { filter, page, showsLinks }: ApplicationsAsked,
): Promise<{ success: true; data: PartnerApplication[]; nextCursor: string | null }> {
  const { reads } = deps.database;
  const rows = await listRows(reads, project.id, filter, page);
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  return {
    success: true,
    data: shown.map((row) => present(deps, row, showsLinks)),
    nextCursor: rows.length > page.limit && last ? toListCursor(last) : null,
  };
}

function present(deps: PartnerDeps, row: ApplicationRow, showsLinks: boolean): PartnerApplication {
  const { mailFailedAt, ...application } = row;
  const comesByHand = deps.mailer === null || mailFailedAt !== null;
  return {
    ...application,
    verificationUrl: showsLinks && comesByHand ? proofUrl(deps, row) : null,
  };
}

function proofUrl(deps: PartnerDeps, row: ApplicationRow): string | null {
  const { projectId, id, email } = row;
  if (row.status !== 'pending' || row.emailVerifiedAt !== null || email === null) return null;
  const subject = { projectId, applicationId: id, email };
  return toProofUrl(deps.baseUrl, makeProofToken(deps.keyring, subject, deps.clock.nowMs()));
}
