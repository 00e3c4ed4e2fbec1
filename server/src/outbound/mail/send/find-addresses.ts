import { findParticipants } from '../../../domain/participants/queries.ts';
import { findPartnerEmails } from '../../../domain/partners/queries.ts';
import type { Queryable } from '../../../platform/db/driver.ts';

/** The addresses of those participants who can be mailed: of Partners, those of active ones. */
export async function findAddresses(
  db: Queryable,
  projectId: string,
  participantIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const people = [...(await findParticipants(db, projectId, participantIds)).values()];
  const ofPartners = await findPartnerEmails(
    db,
    people.flatMap(({ partnerId }) => partnerId ?? []),
  );
  return new Map(
    people.flatMap(({ id, email, partnerId, deletedAt }): [string, string][] => {
      if (deletedAt !== null) return [];
      const address = partnerId === null ? email : ofPartners.get(partnerId);
      return address ? [[id, address]] : [];
    }),
  );
}
