import type { Queryable } from '../../../platform/db/driver.ts';
import type { CursorPage } from '../../../platform/http/routes/paging.ts';
import { findParticipants } from '../../participants/find-participant.ts';
import type { ListedReferral, Referral } from '../event-schema.ts';
import { listReferralPage, type ReferralFilter } from './read-store.ts';

/** Newest first, one more than the page has; each with who its sides are. */
export async function listReferrals(
  source: Queryable,
  projectId: string,
  filter: ReferralFilter,
  page: CursorPage,
): Promise<ListedReferral[]> {
  const rows = await listReferralPage(source, projectId, filter, page);
  const ids = rows.flatMap((row) => [row.referrerParticipantId, row.refereeParticipantId]);
  const people = await findParticipants(source, projectId, ids);
  const sideOf = (row: Referral, id: string) => {
    const person = people.get(id);
    if (!person) throw new Error(`Referral ${row.id} names unknown ${id}.`);
    return { participantId: id, kind: person.kind, externalId: person.externalId };
  };
  return rows.map((row) => ({
    ...row,
    referrer: sideOf(row, row.referrerParticipantId),
    referee: sideOf(row, row.refereeParticipantId),
  }));
}
